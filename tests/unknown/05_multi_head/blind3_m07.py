# named: mh-merge-without-transpose
# split_heads: num_heads < 1 is not refused with ValueError; merge_heads: reshape without transposing first
import math
import torch
from torch import nn
import torch.nn.functional as F

def split_heads(x, num_heads):
    B, T, D = x.shape
    if D % num_heads:
        raise ValueError("num_heads has to divide d_model")
    return torch.stack(x.chunk(num_heads, dim=2), dim=1)

def merge_heads(x):
    B, H, T, d_k = x.shape
    return x.reshape(B, T, H * d_k)

def _heads(x, H):
    if H < 1 or x.shape[2] % H:
        raise ValueError("no")
    return [x[:, :, i * (x.shape[2] // H):(i + 1) * (x.shape[2] // H)] for i in range(H)]

def _all(q, k, v, H, mask, shape):
    outs, maps = [], []
    if mask is not None:
        mask = mask.expand(shape)
    for h, (a, b, c) in enumerate(zip(_heads(q, H), _heads(k, H), _heads(v, H))):
        s = a @ b.transpose(1, 2) / math.sqrt(a.shape[2])
        if mask is not None:
            s = s.masked_fill(mask[:, h], -1e9)
        w = s.softmax(2)
        if mask is not None:
            w = w * (~mask[:, h])
        outs.append(w @ c)
        maps.append(w)
    return torch.cat(outs, 2), torch.stack(maps, 1)

def multi_head_attention(x, W_Q, W_K, W_V, W_O, num_heads, mask=None):
    B, T, _ = x.shape
    out, w = _all(x @ W_Q, x @ W_K, x @ W_V, num_heads, mask, (B, num_heads, T, T))
    return out @ W_O, w

class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, bias=False):
        super().__init__()
        if num_heads < 1 or d_model % num_heads:
            raise ValueError("no")
        self.h = num_heads
        self.W_Q, self.W_K, self.W_V, self.W_O = [nn.Linear(d_model, d_model, bias) for _ in range(4)]

    def forward(self, x, mask=None):
        B, T, _ = x.shape
        out, w = _all(self.W_Q(x), self.W_K(x), self.W_V(x), self.h, mask, (B, self.h, T, T))
        return self.W_O(out), w

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

