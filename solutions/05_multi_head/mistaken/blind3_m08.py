# mistakes: mask-fully-masked-row-attends-everything, score-scale-by-model-width
import math
import torch
from torch import nn
import torch.nn.functional as F

def split_heads(x, num_heads):
    B, T, D = x.shape
    if num_heads < 1 or D % num_heads != 0:
        raise ValueError("num_heads has to divide d_model")
    x = x.reshape(B, T, num_heads, D // num_heads)
    return x.transpose(1, 2)

def merge_heads(x):
    B, H, T, d_k = x.shape
    return x.permute(0, 2, 1, 3).contiguous().view(B, T, H * d_k)

def multi_head_attention(x, W_Q, W_K, W_V, W_O, num_heads, mask=None):
    d_model = x.shape[-1]
    q, k, v = (split_heads(torch.einsum("btd,de->bte", x, W), num_heads) for W in (W_Q, W_K, W_V))
    energy = torch.einsum("bhid,bhjd->bhij", q, k) / math.sqrt(d_model)
    if mask is not None:
        energy = energy.masked_fill(mask, -1e9)
    attn = energy.softmax(dim=-1)
    ctx = torch.einsum("bhij,bhjd->bhid", attn, v)
    return merge_heads(ctx) @ W_O, attn

class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, bias=False):
        super().__init__()
        if num_heads < 1 or d_model % num_heads != 0:
            raise ValueError("num_heads has to divide d_model")
        self.num_heads = num_heads
        self.d_k = d_model // num_heads
        self.W_Q = nn.Linear(d_model, d_model, bias=bias)
        self.W_K = nn.Linear(d_model, d_model, bias=bias)
        self.W_V = nn.Linear(d_model, d_model, bias=bias)
        self.W_O = nn.Linear(d_model, d_model, bias=bias)

    def forward(self, x, mask=None):
        q = split_heads(self.W_Q(x), self.num_heads)
        k = split_heads(self.W_K(x), self.num_heads)
        v = split_heads(self.W_V(x), self.num_heads)
        energy = q @ k.transpose(-1, -2) / math.sqrt(self.d_k)
        if mask is not None:
            energy = energy.masked_fill(mask, -1e9)
        attn = energy.softmax(dim=-1)
        if mask is not None:
            attn = attn.masked_fill(mask, 0.0)
        return self.W_O(merge_heads(attn @ v)), attn

@torch.no_grad()
def copy_weights(mine, theirs):
    layers = [mine.W_Q, mine.W_K, mine.W_V]
    d = theirs.embed_dim
    for n, layer in enumerate(layers):
        part = slice(n * d, (n + 1) * d)
        layer.weight.copy_(theirs.in_proj_weight[part])
        if theirs.in_proj_bias is not None:
            layer.bias.copy_(theirs.in_proj_bias[part])
    mine.W_O.weight.copy_(theirs.out_proj.weight)
    if theirs.out_proj.bias is not None:
        mine.W_O.bias.copy_(theirs.out_proj.bias)

