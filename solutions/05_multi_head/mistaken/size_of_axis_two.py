# mistakes: score-scale-by-sequence-length
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
    return torch.cat(x.unbind(1), dim=-1)


def attend_scaled(q, k, v, mask=None):
    scores = torch.einsum("bhid,bhjd->bhij", q, k)
    scores = scores / math.sqrt(k.size(2))
    if mask is not None:
        scores = scores.masked_fill(mask, -torch.inf)
    weights = scores.softmax(dim=-1).nan_to_num(0.0)
    return torch.einsum("bhij,bhjd->bhid", weights, v), weights


def multi_head_attention(x, W_Q, W_K, W_V, W_O, num_heads, mask=None):
    q = split_heads(x @ W_Q, num_heads)
    k = split_heads(x @ W_K, num_heads)
    v = split_heads(x @ W_V, num_heads)
    out, weights = attend_scaled(q, k, v, mask)
    return merge_heads(out) @ W_O, weights


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
        out, weights = attend_scaled(q, k, v, mask)
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
