# accepted: exp of log_softmax, typed, keyword-only extras, named tuple as the pair
from __future__ import annotations

from typing import NamedTuple, Optional

import torch
from torch import Tensor


class Attended(NamedTuple):
    output: Tensor
    weights: Tensor


def causal_mask(n_queries: int, n_keys: Optional[int] = None, device: torch.device | None = None, *, strict: bool = False) -> Tensor:
    keys = n_queries if n_keys is None else n_keys
    diagonal = keys - n_queries + (0 if strict else 1)
    return torch.ones((n_queries, keys), dtype=torch.bool, device=device).triu(diagonal)


def padding_mask(lengths: Tensor, n_keys: int) -> Tensor:
    return torch.arange(n_keys, device=lengths.device, dtype=lengths.dtype).view(1, 1, -1) >= lengths.view(-1, 1, 1)


def masked_softmax(scores: Tensor, mask: Optional[Tensor] = None, *, dim: int = -1) -> Tensor:
    if mask is None:
        return scores.log_softmax(dim).exp()
    floor = torch.finfo(scores.dtype).min
    log_p = scores.masked_fill(mask, floor).log_softmax(dim)
    return log_p.exp().masked_fill(mask, 0.0)


def masked_attention(Q: Tensor, K: Tensor, V: Tensor, mask: Optional[Tensor] = None, *, scale: Optional[float] = None) -> Attended:
    factor = Q.size(-1) ** -0.5 if scale is None else scale
    weights = masked_softmax(torch.einsum("...qd,...kd->...qk", Q * factor, K), mask)
    return Attended(torch.einsum("...qk,...kd->...qd", weights, V), weights)


def self_attention(x: Tensor, W_Q: Tensor, W_K: Tensor, W_V: Tensor, causal: bool = False, lengths: Optional[Tensor] = None) -> Attended:
    n = x.size(1)
    mask = x.new_zeros((n, n), dtype=torch.bool)
    if causal:
        mask = mask | causal_mask(n, device=x.device)
    if lengths is not None:
        mask = mask | padding_mask(lengths, n)
    return masked_attention(x @ W_Q, x @ W_K, x @ W_V, mask)
