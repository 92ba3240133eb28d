"""Scaled dot-product attention: from similarities to a mixture of values."""

import math
from collections.abc import Callable

import torch
from torch import Tensor


def softmax(x: Tensor, dim: int = -1) -> Tensor:
    """Turn numbers into shares along `dim`: the larger the number, the larger its share; together they make 1."""
    peak = x.amax(dim=dim, keepdim=True)                     # (..., 1, ...)        each slice has its own
    shifted = x - peak                                       # (..., n, ...)        at most 0: exp cannot overflow
    exponentials = torch.exp(shifted)                        # (..., n, ...)        0 < e <= 1
    total = exponentials.sum(dim=dim, keepdim=True)          # (..., 1, ...)        at least 1: never 0 / 0
    return exponentials / total                              # (..., n, ...)


def attention_scores(Q: Tensor, K: Tensor) -> Tensor:
    """How well each query matches each key. A sum of d_k products spreads like the root of d_k, hence the division."""
    similarities = Q @ K.transpose(-2, -1)                   # (..., n_q, n_k)      all pairs in one product
    d_k = Q.shape[-1]
    return similarities / math.sqrt(d_k)                     # (..., n_q, n_k)


def attention(Q: Tensor, K: Tensor, V: Tensor) -> tuple[Tensor, Tensor]:
    """Each query's mixture of the values, by how well their keys match: (output, weights)."""
    scores = attention_scores(Q, K)                          # (..., n_q, n_k)
    weights = softmax(scores, dim=-1)                        # (..., n_q, n_k)      each row sums to 1
    output = weights @ V                                     # (..., n_q, d_v)
    return output, weights


def order_gap(fn: Callable[[Tensor], Tensor], x: Tensor, permutation: Tensor) -> float:
    """How far `fn` is from moving its results along when the tokens of x (B, T, d) are moved."""
    moved_before = fn(x[:, permutation])                     # (B, T, d)
    moved_after = fn(x)[:, permutation]                      # (B, T, d)            the same order, so rows compare
    difference = moved_after - moved_before                  # (B, T, d)
    return difference.abs().max().item()
