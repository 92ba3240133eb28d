# mistakes: mh-copy-rows-per-head, mh-features-interleaved
import math
import torch
from torch import nn
import torch.nn.functional as F

def split_heads(x, num_heads):
    B, T, D = x.shape
    if num_heads < 1 or D % num_heads:
        raise ValueError("num_heads has to divide d_model")
    return torch.stack([x[:, :, h::num_heads] for h in range(num_heads)], dim=1)

def merge_heads(x):
    B, H, T, d_k = x.shape
    return x.permute(0, 2, 3, 1).reshape(B, T, H * d_k)

def _to_heads(x, H):
    if H < 1 or x.shape[-1] % H:
        raise ValueError("num_heads has to divide d_model")
    return x.unflatten(-1, (H, x.shape[-1] // H)).transpose(1, 2)

def _from_heads(x):
    return x.transpose(1, 2).flatten(2)

def scaled_attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))
    if mask is None:
        probs = torch.softmax(scores, dim=-1)
    else:
        probs = torch.softmax(scores.masked_fill(mask, -1e9), dim=-1).masked_fill(mask, 0.0)
    return probs @ v, probs

def multi_head_attention(x, W_Q, W_K, W_V, W_O, num_heads, mask=None):
    out, probs = scaled_attention(*[_to_heads(x @ W, num_heads) for W in (W_Q, W_K, W_V)], mask)
    return _from_heads(out) @ W_O, probs

class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, bias=False):
        super().__init__()
        if num_heads < 1 or d_model % num_heads:
            raise ValueError("num_heads has to divide d_model")
        self.num_heads = num_heads
        self.W_Q = nn.Linear(d_model, d_model, bias)
        self.W_K = nn.Linear(d_model, d_model, bias)
        self.W_V = nn.Linear(d_model, d_model, bias)
        self.W_O = nn.Linear(d_model, d_model, bias)

    def forward(self, x, mask=None):
        out, probs = scaled_attention(*[_to_heads(L(x), self.num_heads) for L in (self.W_Q, self.W_K, self.W_V)], mask)
        return self.W_O(_from_heads(out)), probs

@torch.no_grad()
def copy_weights(mine, theirs):
    H, d = theirs.num_heads, theirs.embed_dim
    packed = theirs.in_proj_weight.reshape(H, 3, d // H, d)
    for i, layer in enumerate((mine.W_Q, mine.W_K, mine.W_V)):
        layer.weight.copy_(packed[:, i].reshape(d, d))
        if theirs.in_proj_bias is not None:
            layer.bias.copy_(theirs.in_proj_bias.reshape(H, 3, d // H)[:, i].reshape(d))
    mine.W_O.weight.copy_(theirs.out_proj.weight)
    if theirs.out_proj.bias is not None:
        mine.W_O.bias.copy_(theirs.out_proj.bias)
