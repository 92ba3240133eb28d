# mistakes: mh-heads-averaged
import math

import torch
from torch import nn


def split_heads(x, num_heads):
    if num_heads < 1:
        raise ValueError("at least one head")
    if x.shape[-1] % num_heads != 0:
        raise ValueError("heads do not fit")
    return torch.stack(x.chunk(num_heads, dim=-1), dim=1)


def merge_heads(x):
    total = 0
    for h in range(x.shape[1]):
        total = total + x[:, h]
    return total / x.shape[1]


def scaled_attention(q, k, v, hidden=None):
    bias = 0.0
    if hidden is not None:
        bias = torch.zeros(hidden.shape, dtype=q.dtype, device=q.device).masked_fill(hidden, -1e9)
    a = (q / math.sqrt(k.shape[-1])).matmul(k.mT).add(bias).softmax(-1)
    if hidden is not None:
        a = a * hidden.logical_not()
    return a.matmul(v), a


def multi_head_attention(x, W_Q, W_K, W_V, W_O, num_heads, mask=None):
    B, T, d_model = x.shape
    if num_heads < 1 or d_model % num_heads != 0:
        raise ValueError("d_model / num_heads")
    d_k = d_model // num_heads
    masks = None if mask is None else torch.broadcast_to(mask, (B, num_heads, T, T))
    output, tables = 0, []
    for h in range(num_heads):
        mine = slice(h * d_k, (h + 1) * d_k)
        q, k, v = x @ W_Q[:, mine], x @ W_K[:, mine], x @ W_V[:, mine]
        scores = q @ k.transpose(1, 2) / d_k**0.5
        if masks is not None:
            scores = scores.masked_fill(masks[:, h], float("-inf"))
        table = scores.softmax(dim=-1).nan_to_num(nan=0.0)
        tables.append(table)
        output = output + (table @ v) @ W_O[mine]
    return output, torch.stack(tables, dim=1)


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, bias=False):
        super().__init__()
        if num_heads < 1 or d_model % num_heads != 0:
            raise ValueError("d_model must be divisible by num_heads")
        self.num_heads = num_heads
        self.W_Q = nn.Linear(d_model, d_model, bias=bias)
        self.W_K = nn.Linear(d_model, d_model, bias=bias)
        self.W_V = nn.Linear(d_model, d_model, bias=bias)
        self.W_O = nn.Linear(d_model, d_model, bias=bias)

    def forward(self, x, mask=None):
        q = split_heads(self.W_Q(x), self.num_heads)
        k = split_heads(self.W_K(x), self.num_heads)
        v = split_heads(self.W_V(x), self.num_heads)
        out, weights = scaled_attention(q, k, v, mask)
        return self.W_O(merge_heads(out)), weights


def copy_weights(mine, theirs):
    d = theirs.embed_dim
    new = {"W_O." + name: tensor for name, tensor in theirs.out_proj.state_dict().items()}
    for i, name in enumerate(["W_Q", "W_K", "W_V"]):
        new[name + ".weight"] = theirs.in_proj_weight[i * d : (i + 1) * d]
        if theirs.in_proj_bias is not None:
            new[name + ".bias"] = theirs.in_proj_bias[i * d : (i + 1) * d]
    mine.load_state_dict(new)
    return mine
