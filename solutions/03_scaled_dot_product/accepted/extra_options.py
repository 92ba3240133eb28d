# accepted: optional parameters of one's own, tensors returned for numbers
import math
from typing import Optional

import torch
from torch import Tensor


def softmax(x: Tensor, dim: int = -1, temperature: float = 1.0, eps: float = 0.0) -> Tensor:
    """Stable softmax."""
    z = x / temperature
    z = z - z.amax(dim=dim, keepdim=True)
    num = z.exp()
    return num / (num.sum(dim=dim, keepdim=True) + eps)


def attention_scores(Q: Tensor, K: Tensor, scale: Optional[float] = None) -> Tensor:
    if scale is None:
        scale = 1.0 / math.sqrt(Q.size(-1))
    return torch.matmul(Q * scale, K.transpose(-2, -1))


def attention(Q: Tensor, K: Tensor, V: Tensor, mask: Optional[Tensor] = None, dropout=None):
    scores = attention_scores(Q, K)
    if mask is not None:
        scores = scores.masked_fill(mask, float("-inf"))
    weights = softmax(scores)
    if dropout is not None:
        weights = dropout(weights)
    return torch.matmul(weights, V), weights


def order_gap(fn, x: Tensor, permutation: Tensor, reduction: str = "max"):
    gap = (fn(x[:, permutation]) - fn(x)[:, permutation]).abs()
    return gap.max() if reduction == "max" else gap.mean()
