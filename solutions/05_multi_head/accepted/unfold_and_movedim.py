# accepted: unfold and movedim
import math

import torch
from torch import nn


def split_heads(x, num_heads):
    if num_heads < 1 or x.shape[-1] % num_heads:
        raise ValueError("no")
    d_k = x.shape[-1] // num_heads
    return x.unfold(-1, d_k, d_k).movedim(2, 1)


def merge_heads(x):
    return x.movedim(1, 2).flatten(2, 3)


def scaled_attention(q, k, v, hidden=None):
    bias = 0.0
    if hidden is not None:
        bias = torch.zeros(hidden.shape, dtype=q.dtype, device=q.device).masked_fill(hidden, -1e9)
    a = (q / math.sqrt(k.shape[-1])).matmul(k.mT).add(bias).softmax(-1)
    if hidden is not None:
        a = a * hidden.logical_not()
    return a.matmul(v), a


def multi_head_attention(x, W_Q, W_K, W_V, W_O, num_heads, mask=None):
    mixed, weights = scaled_attention(*[split_heads(torch.matmul(x, W), num_heads) for W in (W_Q, W_K, W_V)], mask)
    return torch.matmul(merge_heads(mixed), W_O), weights


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, bias=False):
        if num_heads < 1 or d_model % num_heads:
            raise ValueError("heads")
        super().__init__()
        self.num_heads = num_heads
        self.W_Q, self.W_K, self.W_V, self.W_O = (nn.Linear(d_model, d_model, bias=bias) for _ in range(4))

    def forward(self, x, mask=None):
        three = (self.W_Q, self.W_K, self.W_V)
        weight = torch.cat([layer.weight for layer in three])
        bias = None if self.W_Q.bias is None else torch.cat([layer.bias for layer in three])
        q, k, v = nn.functional.linear(x, weight, bias).chunk(3, dim=-1)
        q, k, v = (split_heads(part, self.num_heads) for part in (q, k, v))
        out, w = scaled_attention(q, k, v, mask)
        return self.W_O(merge_heads(out)), w


def copy_weights(mine, theirs):
    three = torch.stack(theirs.in_proj_weight.chunk(3)).detach()
    mine.W_Q.weight, mine.W_K.weight, mine.W_V.weight = (nn.Parameter(part.clone()) for part in three)
    mine.W_O.weight = nn.Parameter(theirs.out_proj.weight.detach().clone())
    if theirs.in_proj_bias is not None:
        three = theirs.in_proj_bias.detach().reshape(3, -1)
        mine.W_Q.bias, mine.W_K.bias, mine.W_V.bias = (nn.Parameter(part.clone()) for part in three)
        mine.W_O.bias = nn.Parameter(theirs.out_proj.bias.detach().clone())
