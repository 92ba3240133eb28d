# mistakes: mh-split-by-view
import math
import torch
from torch import nn
import torch.nn.functional as F

def split_heads(x, num_heads):
    B, T, d_model = x.shape
    if num_heads < 1 or d_model % num_heads != 0:
        raise ValueError("heads do not divide d_model")
    return x.reshape(B, num_heads, T, d_model // num_heads)

def merge_heads(x):
    B, H, T, d_k = x.shape
    return x.transpose(1, 2).reshape(B, T, H * d_k)

def _cut(x, H):
    if H < 1 or x.shape[-1] % H:
        raise ValueError("bad number of heads")
    return torch.stack(x.split(x.shape[-1] // H, dim=-1), dim=1)

def _look(q, k, v, mask):
    s = q @ k.transpose(-1, -2) / math.sqrt(q.shape[-1])
    if mask is None:
        w = F.softmax(s, dim=-1)
    else:
        w = F.softmax(s.masked_fill(mask, torch.finfo(s.dtype).min), dim=-1).masked_fill(mask, 0.0)
    return w @ v, w

def multi_head_attention(x, W_Q, W_K, W_V, W_O, num_heads, mask=None):
    q, k, v = (_cut(x @ W, num_heads) for W in (W_Q, W_K, W_V))
    out, w = _look(q, k, v, mask)
    return merge_heads(out) @ W_O, w

class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, bias=False):
        super().__init__()
        if num_heads < 1 or d_model % num_heads:
            raise ValueError("bad number of heads")
        self.num_heads = num_heads
        self.W_Q = nn.Linear(d_model, d_model, bias=bias)
        self.W_K = nn.Linear(d_model, d_model, bias=bias)
        self.W_V = nn.Linear(d_model, d_model, bias=bias)
        self.W_O = nn.Linear(d_model, d_model, bias=bias)

    def forward(self, x, mask=None):
        q, k, v = (_cut(f(x), self.num_heads) for f in (self.W_Q, self.W_K, self.W_V))
        out, w = _look(q, k, v, mask)
        return self.W_O(merge_heads(out)), w

def copy_weights(mine, theirs):
    with torch.no_grad():
        for i, layer in enumerate((mine.W_Q, mine.W_K, mine.W_V)):
            layer.weight.copy_(theirs.in_proj_weight.chunk(3)[i])
            if layer.bias is not None:
                layer.bias.copy_(theirs.in_proj_bias.chunk(3)[i])
        mine.W_O.weight.copy_(theirs.out_proj.weight)
        if mine.W_O.bias is not None:
            mine.W_O.bias.copy_(theirs.out_proj.bias)
