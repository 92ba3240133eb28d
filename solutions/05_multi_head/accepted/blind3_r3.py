# accepted: in its own way
import math
import torch
from torch import nn
import torch.nn.functional as F

def split_heads(x, num_heads):
    if num_heads not in range(1, x.shape[-1] + 1) or x.shape[-1] % num_heads:
        raise ValueError("heads")
    return x.unflatten(2, (num_heads, x.shape[2] // num_heads)).swapaxes(1, 2)

def merge_heads(x):
    return x.swapaxes(1, 2).flatten(2)

def multi_head_attention(x, W_Q, W_K, W_V, W_O, num_heads, mask=None):
    layer = _Core(num_heads)
    return layer(x @ W_Q, x @ W_K, x @ W_V, mask, lambda y: y @ W_O)

class _Core(nn.Module):
    def __init__(self, num_heads):
        super().__init__()
        self.num_heads = num_heads

    def forward(self, q, k, v, mask, last):
        q, k, v = (split_heads(t, self.num_heads) for t in (q, k, v))
        keep = 1.0 if mask is None else (~mask).to(q.dtype)
        s = (q / q.shape[-1] ** 0.5) @ k.transpose(-1, -2)
        if mask is not None:
            s = s + torch.zeros_like(s).masked_fill(mask, -1e9)
        w = F.softmax(s, -1) * keep
        return last(merge_heads(w @ v)), w

class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, bias=False):
        super().__init__()
        split_heads(torch.zeros(1, 1, d_model), num_heads)  # complains where they do not fit
        self.W_Q = nn.Linear(d_model, d_model, bias)
        self.W_K = nn.Linear(d_model, d_model, bias)
        self.W_V = nn.Linear(d_model, d_model, bias)
        self.W_O = nn.Linear(d_model, d_model, bias)
        self.core = _Core(num_heads)

    def forward(self, x, mask=None):
        return self.core(self.W_Q(x), self.W_K(x), self.W_V(x), mask, self.W_O)

def copy_weights(mine, theirs):
    with torch.no_grad():
        packed = torch.cat([mine.W_Q.weight, mine.W_K.weight, mine.W_V.weight])
        assert packed.shape == theirs.in_proj_weight.shape
        for layer, w in zip([mine.W_Q, mine.W_K, mine.W_V], theirs.in_proj_weight.unflatten(0, (3, -1))):
            layer.weight.copy_(w)
        mine.W_O.weight.copy_(theirs.out_proj.weight)
        if theirs.in_proj_bias is None:
            return
        for layer, b in zip([mine.W_Q, mine.W_K, mine.W_V], theirs.in_proj_bias.unflatten(0, (3, -1))):
            layer.bias.copy_(b)
        mine.W_O.bias.copy_(theirs.out_proj.bias)
