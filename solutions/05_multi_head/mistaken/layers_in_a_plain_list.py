# mistakes: proj-weights-not-registered
import math

import torch
from torch import nn


def split_heads(x, num_heads):
    B, T, d_model = x.shape
    if num_heads < 1 or d_model % num_heads:
        raise ValueError("num_heads must divide d_model")
    return x.reshape(B, T, num_heads, d_model // num_heads).transpose(1, 2)


def merge_heads(x):
    B, H, T, d_k = x.shape
    return x.transpose(1, 2).reshape(B, T, H * d_k)


def attend(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))
    if mask is not None:
        scores = scores.masked_fill(mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1).nan_to_num(0.0)
    return weights @ v, weights


def multi_head_attention(x, W_Q, W_K, W_V, W_O, num_heads, mask=None):
    q = split_heads(x @ W_Q, num_heads)
    k = split_heads(x @ W_K, num_heads)
    v = split_heads(x @ W_V, num_heads)
    out, weights = attend(q, k, v, mask)
    return merge_heads(out) @ W_O, weights


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, bias=False):
        super().__init__()
        if num_heads < 1 or d_model % num_heads:
            raise ValueError("heads")
        self.num_heads = num_heads
        self.projections = [nn.Linear(d_model, d_model, bias=bias) for _ in "QKVO"]

    def forward(self, x, mask=None):
        to_q, to_k, to_v, to_out = self.projections
        heads = (split_heads(layer(x), self.num_heads) for layer in (to_q, to_k, to_v))
        mixed, weights = attend(*heads, mask)
        return to_out(merge_heads(mixed)), weights


def copy_weights(mine, theirs):
    with torch.no_grad():
        for layer, weight in zip(mine.projections, theirs.in_proj_weight.chunk(3)):
            layer.weight.copy_(weight)
        mine.projections[3].weight.copy_(theirs.out_proj.weight)
