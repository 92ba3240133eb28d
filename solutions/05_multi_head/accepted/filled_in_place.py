# accepted: results filled in place, head by head
import math

import torch
from torch import nn


def split_heads(x, num_heads):
    B, T, C = x.shape
    if num_heads < 1 or C % num_heads:
        raise ValueError("C must be divisible")
    size = C // num_heads
    out = x.new_zeros(B, num_heads, T, size)
    for head in range(num_heads):
        out[:, head] = x[..., head * size : head * size + size]
    return out


def merge_heads(x):
    B, H, T, size = x.shape
    out = x.new_zeros(B, T, H * size)
    for head in range(H):
        out[:, :, head * size : (head + 1) * size] = x[:, head]
    return out


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
    def __init__(self, d_model, num_heads, bias=False, dropout=0.0):
        super().__init__()
        if num_heads < 1 or d_model % num_heads:
            raise ValueError("heads")
        self.d_model, self.num_heads, self.d_k = d_model, num_heads, d_model // num_heads
        self.W_O = nn.Linear(d_model, d_model, bias=bias)
        self.W_V = nn.Linear(d_model, d_model, bias=bias)
        self.W_K = nn.Linear(d_model, d_model, bias=bias)
        self.W_Q = nn.Linear(d_model, d_model, bias=bias)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        B, T, _ = x.shape
        q = self.W_Q(x).reshape(B, T, self.num_heads, self.d_k).permute(0, 2, 1, 3)
        k = self.W_K(x).reshape(B, T, self.num_heads, self.d_k).permute(0, 2, 3, 1)
        v = self.W_V(x).reshape(B, T, self.num_heads, self.d_k).permute(0, 2, 1, 3)
        scores = torch.matmul(q, k) / self.d_k**0.5
        if mask is not None:
            scores = scores.masked_fill(mask, -1e9)
        weights = self.dropout(torch.softmax(scores, dim=-1))
        if mask is not None:
            weights = weights.masked_fill(mask, 0.0)
        out = torch.matmul(weights, v).permute(0, 2, 1, 3).reshape(B, T, self.d_model)
        return self.W_O(out), weights


def copy_weights(mine, theirs):
    source = {name: tensor.detach() for name, tensor in theirs.named_parameters()}
    width = source["out_proj.weight"].shape[0]
    with torch.no_grad():
        for name, parameter in mine.named_parameters():
            layer, _, kind = name.partition(".")
            if layer == "W_O":
                parameter.copy_(source["out_proj." + kind])
            elif layer in ("W_Q", "W_K", "W_V"):
                start = ("W_Q", "W_K", "W_V").index(layer) * width
                parameter[:] = source["in_proj_" + kind][start : start + width]
