# accepted: lists of heads: chunk, stack, cat
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


def scaled_attention(q, k, v, hidden=None):
    bias = 0.0
    if hidden is not None:
        bias = torch.zeros(hidden.shape, dtype=q.dtype, device=q.device).masked_fill(hidden, -1e9)
    a = (q / math.sqrt(k.shape[-1])).matmul(k.mT).add(bias).softmax(-1)
    if hidden is not None:
        a = a * hidden.logical_not()
    return a.matmul(v), a


def multi_head_attention(x, W_Q, W_K, W_V, W_O, num_heads, mask=None):
    q = split_heads(x @ W_Q, num_heads)
    k = split_heads(x @ W_K, num_heads)
    v = split_heads(x @ W_V, num_heads)
    out, weights = scaled_attention(q, k, v, mask)
    return merge_heads(out) @ W_O, weights


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, bias=False):
        super().__init__()
        split_heads(torch.zeros(1, 1, d_model), num_heads)
        self.h = num_heads
        for name in ("W_Q", "W_K", "W_V", "W_O"):
            setattr(self, name, nn.Linear(d_model, d_model, bias))

    def forward(self, x, mask=None):
        parts = [split_heads(layer(x), self.h) for layer in (self.W_Q, self.W_K, self.W_V)]
        mixed, attention = scaled_attention(*parts, mask)
        return self.W_O(merge_heads(mixed)), attention


def copy_weights(mine, theirs):
    d = theirs.embed_dim
    new = {"W_O." + name: tensor for name, tensor in theirs.out_proj.state_dict().items()}
    for i, name in enumerate(["W_Q", "W_K", "W_V"]):
        new[name + ".weight"] = theirs.in_proj_weight[i * d : (i + 1) * d]
        if theirs.in_proj_bias is not None:
            new[name + ".bias"] = theirs.in_proj_bias[i * d : (i + 1) * d]
    mine.load_state_dict(new)
    return mine
