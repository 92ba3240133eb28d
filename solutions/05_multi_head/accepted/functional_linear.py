# accepted: F.linear with turned weights, mask as a float bias
import math

import torch
import torch.nn.functional as F
from torch import nn


def split_heads(x, num_heads):
    batch, seq, width = x.size()
    if num_heads <= 0 or width % num_heads != 0:
        raise ValueError(f"{width} % {num_heads} != 0")
    head_dim = width // num_heads
    return x.view(batch, seq, num_heads, head_dim).permute(0, 2, 1, 3).contiguous()


def merge_heads(x):
    return torch.einsum("bhtd->bthd", x).flatten(start_dim=2)


def scaled_attention(q, k, v, hidden=None):
    bias = 0.0
    if hidden is not None:
        bias = torch.zeros(hidden.shape, dtype=q.dtype, device=q.device).masked_fill(hidden, -1e9)
    a = (q / math.sqrt(k.shape[-1])).matmul(k.mT).add(bias).softmax(-1)
    if hidden is not None:
        a = a * hidden.logical_not()
    return a.matmul(v), a


def multi_head_attention(x, W_Q, W_K, W_V, W_O, num_heads, mask=None):
    Q = split_heads(F.linear(x, W_Q.t()), num_heads)
    K = split_heads(F.linear(x, W_K.t()), num_heads)
    V = split_heads(F.linear(x, W_V.t()), num_heads)
    out, weights = scaled_attention(Q, K, V, mask)
    return F.linear(merge_heads(out), W_O.t()), weights


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, bias=False):
        super().__init__()
        if num_heads < 1 or d_model % num_heads:
            raise ValueError("num_heads")
        self.num_heads = num_heads
        self.W_Q = nn.Linear(d_model, d_model, bias=bias)
        self.W_K = nn.Linear(d_model, d_model, bias=bias)
        self.W_V = nn.Linear(d_model, d_model, bias=bias)
        self.W_O = nn.Linear(d_model, d_model, bias=bias)

    def forward(self, x, mask=None):
        if self.W_Q.bias is None:
            matrices = (layer.weight.T for layer in (self.W_Q, self.W_K, self.W_V, self.W_O))
            return multi_head_attention(x, *matrices, self.num_heads, mask)
        heads = [split_heads(x @ layer.weight.T + layer.bias, self.num_heads) for layer in (self.W_Q, self.W_K, self.W_V)]
        mixed, weights = scaled_attention(*heads, mask)
        return merge_heads(mixed) @ self.W_O.weight.T + self.W_O.bias, weights


def copy_weights(mine, theirs):
    three = torch.stack(theirs.in_proj_weight.chunk(3)).detach()
    mine.W_Q.weight, mine.W_K.weight, mine.W_V.weight = (nn.Parameter(part.clone()) for part in three)
    mine.W_O.weight = nn.Parameter(theirs.out_proj.weight.detach().clone())
    if theirs.in_proj_bias is not None:
        three = theirs.in_proj_bias.detach().reshape(3, -1)
        mine.W_Q.bias, mine.W_K.bias, mine.W_V.bias = (nn.Parameter(part.clone()) for part in three)
        mine.W_O.bias = nn.Parameter(theirs.out_proj.bias.detach().clone())
