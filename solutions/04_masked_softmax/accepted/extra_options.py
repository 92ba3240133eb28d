# accepted: optional parameters of one's own, dropout of 0, keyword-only style
import math
from typing import Optional

import torch
import torch.nn.functional as F
from torch import Tensor


def causal_mask(n_queries: int, n_keys: Optional[int] = None, device=None, *, diagonal: int = 0) -> Tensor:
    n_keys = n_queries if n_keys is None else n_keys
    shape = (n_queries, n_keys)
    return torch.triu(torch.ones(shape, device=device), diagonal=1 + diagonal + n_keys - n_queries).to(torch.bool)


def padding_mask(lengths: Tensor, n_keys: int, *, heads: bool = False) -> Tensor:
    mask = torch.arange(n_keys, device=lengths.device).unsqueeze(0).ge(lengths.unsqueeze(1)).unsqueeze(1)
    return mask.unsqueeze(1) if heads else mask


def masked_softmax(scores: Tensor, mask: Optional[Tensor] = None, dim: int = -1, eps: float = 1e-9) -> Tensor:
    if mask is None:
        return F.softmax(scores, dim)
    filled = scores.masked_fill(mask, -math.inf)
    peak = filled.max(dim, keepdim=True).values
    peak = torch.where(peak.isfinite(), peak, torch.zeros_like(peak))
    exps = (filled - peak).exp()
    return exps / (exps.sum(dim, keepdim=True) + eps)


def masked_attention(Q, K, V, mask=None, dropout_p: float = 0.0, scale: Optional[float] = None):
    scale = 1.0 / math.sqrt(Q.size(-1)) if scale is None else scale
    weights = masked_softmax(Q @ K.transpose(-2, -1) * scale, mask)
    return F.dropout(weights, dropout_p, training=dropout_p > 0) @ V, weights


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None, window=None):
    T = x.shape[1]
    mask = torch.zeros(T, T, dtype=torch.bool, device=x.device)
    if causal:
        mask = mask | causal_mask(T, device=x.device)
    if lengths is not None:
        mask = mask | padding_mask(lengths, T)
    return masked_attention(x @ W_Q, x @ W_K, x @ W_V, mask)
