# accepted: one head after another, each added to the output through its own rows of W_O
import math

import torch
from torch import nn


def split_heads(x, num_heads):
    if num_heads < 1 or x.shape[2] % num_heads != 0:
        raise ValueError("d_model must be a multiple of num_heads")
    d_k = x.shape[2] // num_heads
    heads = []
    for h in range(num_heads):
        heads.append(x[:, :, h * d_k : (h + 1) * d_k])
    return torch.stack(heads, dim=1)


def merge_heads(x):
    return torch.cat([x[:, h] for h in range(x.shape[1])], dim=2)


def attend(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))
    if mask is not None:
        scores = scores.masked_fill(mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1).nan_to_num(0.0)
    return weights @ v, weights


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
        out, weights = attend(q, k, v, mask)
        return self.W_O(merge_heads(out)), weights


def copy_weights(mine, theirs):
    layers = [mine.W_Q, mine.W_K, mine.W_V]
    for layer, weight in zip(layers, theirs.in_proj_weight.detach().split(theirs.embed_dim)):
        layer.weight.data = weight.clone()
    mine.W_O.weight.data = theirs.out_proj.weight.detach().clone()
    if theirs.in_proj_bias is not None:
        for layer, bias in zip(layers, theirs.in_proj_bias.detach().split(theirs.embed_dim)):
            layer.bias.data = bias.clone()
        mine.W_O.bias.data = theirs.out_proj.bias.detach().clone()
    return None
