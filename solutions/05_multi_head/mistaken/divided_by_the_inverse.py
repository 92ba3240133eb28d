# mistakes: score-scale-inverted
import math

import torch
from torch import nn


def split_heads(x, num_heads):
    batch, seq, width = x.size()
    if num_heads <= 0 or width % num_heads != 0:
        raise ValueError(f"{width} % {num_heads} != 0")
    head_dim = width // num_heads
    return x.view(batch, seq, num_heads, head_dim).permute(0, 2, 1, 3).contiguous()


def merge_heads(x):
    batch, heads, seq, head_dim = x.size()
    return x.permute(0, 2, 1, 3).contiguous().view(batch, seq, heads * head_dim)


def attend_scaled(q, k, v, mask=None):
    scores = torch.einsum("bhid,bhjd->bhij", q, k)
    scale = 1 / math.sqrt(q.shape[-1])
    scores = scores / scale
    if mask is not None:
        scores = scores.masked_fill(mask, -torch.inf)
    weights = scores.softmax(dim=-1).nan_to_num(0.0)
    return torch.einsum("bhij,bhjd->bhid", weights, v), weights


def multi_head_attention(x, W_Q, W_K, W_V, W_O, num_heads, mask=None):
    mixed, weights = attend_scaled(*[split_heads(torch.matmul(x, W), num_heads) for W in (W_Q, W_K, W_V)], mask)
    return torch.matmul(merge_heads(mixed), W_O), weights


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, bias=False):
        super().__init__()
        split_heads(torch.zeros(1, 1, d_model), num_heads)
        self.h = num_heads
        for name in ("W_Q", "W_K", "W_V", "W_O"):
            setattr(self, name, nn.Linear(d_model, d_model, bias))

    def forward(self, x, mask=None):
        parts = [split_heads(layer(x), self.h) for layer in (self.W_Q, self.W_K, self.W_V)]
        mixed, attention = attend_scaled(*parts, mask)
        return self.W_O(merge_heads(mixed)), attention


@torch.no_grad()
def copy_weights(mine, theirs):
    d = mine.W_Q.weight.shape[0]
    mine.W_Q.weight.data.copy_(theirs.in_proj_weight.data[:d])
    mine.W_K.weight.data.copy_(theirs.in_proj_weight.data[d : 2 * d])
    mine.W_V.weight.data.copy_(theirs.in_proj_weight.data[2 * d :])
    mine.W_O.weight.data.copy_(theirs.out_proj.weight.data)
    if mine.W_Q.bias is not None:
        mine.W_Q.bias.data.copy_(theirs.in_proj_bias.data[:d])
        mine.W_K.bias.data.copy_(theirs.in_proj_bias.data[d : 2 * d])
        mine.W_V.bias.data.copy_(theirs.in_proj_bias.data[2 * d :])
        mine.W_O.bias.data.copy_(theirs.out_proj.bias.data)
