# mistakes: mh-copy-weights-transposed, proj-matrix-transposed
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

def scaled_attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))
    if mask is None:
        probs = torch.softmax(scores, dim=-1)
    else:
        probs = torch.softmax(scores.masked_fill(mask, -1e9), dim=-1).masked_fill(mask, 0.0)
    return probs @ v, probs

def multi_head_attention(x, W_Q, W_K, W_V, W_O, num_heads, mask=None):
    parts = []
    for W in (W_Q, W_K, W_V):
        parts.append(split_heads(F.linear(x, W), num_heads))
    out, probs = scaled_attention(*parts, mask)
    return merge_heads(out) @ W_O, probs

class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, bias=False):
        super().__init__()
        if num_heads < 1 or d_model % num_heads != 0:
            raise ValueError("num_heads has to divide d_model")
        self.num_heads = num_heads
        self.W_Q = nn.Linear(d_model, d_model, bias=bias)
        self.W_K = nn.Linear(d_model, d_model, bias=bias)
        self.W_V = nn.Linear(d_model, d_model, bias=bias)
        self.W_O = nn.Linear(d_model, d_model, bias=bias)

    def forward(self, x, mask=None):
        q = split_heads(self.W_Q(x), self.num_heads)
        k = split_heads(self.W_K(x), self.num_heads)
        v = split_heads(self.W_V(x), self.num_heads)
        heads, probs = scaled_attention(q, k, v, mask)
        return self.W_O(merge_heads(heads)), probs

@torch.no_grad()
def copy_weights(mine, theirs):
    names = ["W_Q", "W_K", "W_V"]
    for i, w in enumerate(theirs.in_proj_weight.chunk(3)):
        getattr(mine, names[i]).weight.copy_(w.T)
    if theirs.in_proj_bias is not None:
        for i, b in enumerate(theirs.in_proj_bias.chunk(3)):
            getattr(mine, names[i]).bias.copy_(b)
        mine.W_O.bias.copy_(theirs.out_proj.bias)
    mine.W_O.weight.copy_(theirs.out_proj.weight)
