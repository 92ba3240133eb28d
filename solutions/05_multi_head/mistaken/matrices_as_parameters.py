# mistakes: proj-parameter-in-place-of-layer
import math

import torch
from torch import nn


def split_heads(x, num_heads):
    d_k, rest = divmod(x.shape[-1], num_heads) if num_heads > 0 else (0, 1)
    if rest:
        raise ValueError("cannot split evenly")
    return torch.stack(torch.split(x, d_k, dim=2), 1)


def merge_heads(x):
    return x.movedim(1, 2).flatten(2, 3)


def attend(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))
    if mask is not None:
        scores = scores.masked_fill(mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1).nan_to_num(0.0)
    return weights @ v, weights


def multi_head_attention(x, W_Q, W_K, W_V, W_O, num_heads, mask=None):
    B, T, C = x.shape
    if num_heads < 1 or C % num_heads:
        raise ValueError("heads")
    qkv = (x @ torch.cat((W_Q, W_K, W_V), dim=-1)).reshape(B, T, 3, num_heads, C // num_heads)
    q, k, v = qkv.permute(2, 0, 3, 1, 4)
    y, att = attend(q, k, v, mask)
    return y.transpose(1, 2).reshape(B, T, C) @ W_O, att


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, bias=False):
        super().__init__()
        if num_heads < 1 or d_model % num_heads:
            raise ValueError("heads")
        self.num_heads = num_heads
        self.W_Q = nn.Parameter(torch.empty(d_model, d_model))
        self.W_K = nn.Parameter(torch.empty(d_model, d_model))
        self.W_V = nn.Parameter(torch.empty(d_model, d_model))
        self.W_O = nn.Parameter(torch.empty(d_model, d_model))
        for matrix in self.parameters():
            nn.init.xavier_uniform_(matrix)

    def forward(self, x, mask=None):
        return multi_head_attention(x, self.W_Q, self.W_K, self.W_V, self.W_O, self.num_heads, mask)


def copy_weights(mine, theirs):
    with torch.no_grad():
        for matrix, weight in zip((mine.W_Q, mine.W_K, mine.W_V), theirs.in_proj_weight.chunk(3)):
            matrix.copy_(weight.T)
        mine.W_O.copy_(theirs.out_proj.weight.T)
