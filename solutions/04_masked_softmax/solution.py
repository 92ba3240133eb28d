"""Masked attention: who may look at whom. In every mask True means hidden."""

import math

import torch
from torch import Tensor


def causal_mask(n_queries: int, n_keys: int | None = None, device: torch.device | str | None = None) -> Tensor:
    """Hide from each query the keys that come after it. The queries are the last of the keys' positions."""
    if n_keys is None:
        n_keys = n_queries
    query = torch.arange(n_queries, device=device)[:, None]  # (n_queries, 1)
    key = torch.arange(n_keys, device=device)                # (n_keys,)
    last_visible = query + n_keys - n_queries                # (n_queries, 1)       each query's place among the keys
    return key > last_visible                                # (n_queries, n_keys)


def padding_mask(lengths: Tensor, n_keys: int) -> Tensor:
    """Hide the keys from each sequence's length on, from all of its queries alike."""
    position = torch.arange(n_keys, device=lengths.device)   # (n_keys,)
    padded = position >= lengths[:, None]                    # (B, n_keys)
    return padded[:, None, :]                                # (B, 1, n_keys)       one row serves every query


def masked_softmax(scores: Tensor, mask: Tensor | None = None) -> Tensor:
    """Softmax over the visible keys of each query; hidden keys get 0, and so does a query that sees nothing."""
    visible = scores if mask is None else scores.masked_fill(mask, -math.inf)  # (..., n_q, n_k)
    peak = visible.amax(dim=-1, keepdim=True)                # (..., n_q, 1)        largest visible score
    peak = peak.masked_fill(peak == -math.inf, 0.0)          # (..., n_q, 1)        nothing visible: -inf - -inf is NaN
    exponentials = torch.exp(visible - peak)                 # (..., n_q, n_k)      at most 1; exp(-inf) is exactly 0
    total = exponentials.sum(dim=-1, keepdim=True)           # (..., n_q, 1)
    total = total.masked_fill(total == 0, 1.0)               # (..., n_q, 1)        nothing visible: 0 / 1, not 0 / 0
    return exponentials / total                              # (..., n_q, n_k)


def masked_attention(Q: Tensor, K: Tensor, V: Tensor, mask: Tensor | None = None) -> tuple[Tensor, Tensor]:
    """Scaled dot-product attention over the visible keys: (output, weights)."""
    similarities = Q @ K.transpose(-2, -1)                   # (..., n_q, n_k)
    scores = similarities / math.sqrt(Q.shape[-1])           # (..., n_q, n_k)
    weights = masked_softmax(scores, mask)                   # (..., n_q, n_k)
    output = weights @ V                                     # (..., n_q, d_v)
    return output, weights


def self_attention(
    x: Tensor, W_Q: Tensor, W_K: Tensor, W_V: Tensor, causal: bool = False, lengths: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """Let the tokens of x (B, T, d_model) look at each other: (output, weights)."""
    Q = x @ W_Q                                              # (B, T, d_k)
    K = x @ W_K                                              # (B, T, d_k)
    V = x @ W_V                                              # (B, T, d_v)
    T = x.shape[-2]
    hidden = torch.zeros(T, T, dtype=torch.bool, device=x.device)  # (T, T)
    if causal:
        hidden = hidden | causal_mask(T, device=x.device)    # (T, T)
    if lengths is not None:
        hidden = hidden | padding_mask(lengths, T)           # (B, T, T)            hidden for either reason
    return masked_attention(Q, K, V, hidden)                 # (B, T, d_v), (B, T, T)
