# accepted: a small class for a head, a list of them over slices of W
import math

import torch
import torch.nn.functional as F
from torch import nn


def split_heads(x, num_heads):
    if num_heads < 1:
        raise ValueError("at least one head")
    if x.shape[-1] % num_heads != 0:
        raise ValueError("heads do not fit")
    return torch.stack(x.chunk(num_heads, dim=-1), dim=1)


def merge_heads(x):
    return torch.cat([x[:, h] for h in range(x.shape[1])], dim=2)


class Head:
    def __init__(self, W_Q, W_K, W_V):
        self.W_Q, self.W_K, self.W_V = W_Q, W_K, W_V

    def __call__(self, x, mask):
        scores = (x @ self.W_Q) @ (x @ self.W_K).transpose(1, 2)
        scores = scores / math.sqrt(self.W_Q.shape[1])
        if mask is not None:
            scores = scores.masked_fill(mask, -1e9)
        weights = F.softmax(scores, dim=2)
        if mask is not None:
            weights = weights.masked_fill(mask, 0)
        return weights @ (x @ self.W_V), weights


def multi_head_attention(x, W_Q, W_K, W_V, W_O, num_heads, mask=None):
    B, T, C = x.shape
    if num_heads < 1 or C % num_heads:
        raise ValueError("heads")
    slices = zip(*(W.chunk(num_heads, dim=1) for W in (W_Q, W_K, W_V)))
    if mask is not None:
        mask = mask.expand(B, num_heads, T, T)
    results = [Head(*parts)(x, None if mask is None else mask[:, h]) for h, parts in enumerate(slices)]
    return torch.cat([out for out, _ in results], dim=-1) @ W_O, torch.stack([w for _, w in results], dim=1)


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
