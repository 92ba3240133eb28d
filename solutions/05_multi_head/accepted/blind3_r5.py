# accepted: in its own way
import math
import torch
from torch import nn
import torch.nn.functional as F

def merge_heads(x):
    B, H, T, d_k = x.shape
    return x.permute(0, 2, 1, 3).contiguous().view(B, T, H * d_k)

def split_heads(x, num_heads):
    B, T, D = x.shape
    try:
        d_k, left = divmod(D, num_heads)
    except ZeroDivisionError:
        raise ValueError("no heads at all") from None
    if left or d_k <= 0:
        raise ValueError("does not divide")
    position = torch.arange(D, device=x.device).reshape(num_heads, d_k)
    return x[:, :, position].permute(0, 2, 1, 3)

def multi_head_attention(x, W_Q, W_K, W_V, W_O, num_heads, mask=None):
    d_model = x.shape[-1]
    q, k, v = split_heads(x @ torch.cat((W_Q, W_K, W_V), dim=1), 3).unbind(1)
    heads, maps = _heads(q, k, v, num_heads, mask)
    # W_O head by head: rows of its own for each head
    rows = W_O.split(d_model // num_heads, dim=0)
    return sum(h @ r for h, r in zip(heads, rows)), maps

def _heads(q, k, v, H, mask):
    B, T, _ = q.shape
    q, k, v = split_heads(q, H), split_heads(k, H), split_heads(v, H)
    if mask is not None:
        mask = mask.expand(B, H, T, T)
    outs, maps = [], []
    for h in range(H):
        s = torch.matmul(q[:, h], k[:, h].transpose(1, 2)) / math.sqrt(q.shape[-1])
        if mask is None:
            w = torch.softmax(s, -1)
        else:
            m = mask[:, h]
            blind = m.all(-1, keepdim=True)
            s = s.masked_fill(m & ~blind, -math.inf)
            w = torch.softmax(s, -1).masked_fill(blind, 0)
        outs.append(w @ v[:, h])
        maps.append(w)
    return outs, torch.stack(maps, 1)

class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, bias=False):
        super().__init__()
        if num_heads < 1 or d_model % num_heads:
            raise ValueError("does not divide")
        self.H = num_heads
        self.W_Q = nn.Linear(d_model, d_model, bias=bias)
        self.W_K = nn.Linear(d_model, d_model, bias=bias)
        self.W_V = nn.Linear(d_model, d_model, bias=bias)
        self.W_O = nn.Linear(d_model, d_model, bias=bias)

    def forward(self, x, mask=None):
        outs, maps = _heads(self.W_Q(x), self.W_K(x), self.W_V(x), self.H, mask)
        return self.W_O(torch.cat(outs, -1)), maps

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

