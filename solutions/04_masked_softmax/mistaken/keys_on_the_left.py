# mistakes: score-query-key-swapped
import math

import torch


def causal_mask(n_queries, n_keys=None, device=None):
    if n_keys is None:
        n_keys = n_queries
    return torch.triu(torch.ones(n_queries, n_keys, device=device), diagonal=n_keys - n_queries + 1).bool()


def padding_mask(lengths, n_keys):
    return torch.arange(n_keys, device=lengths.device).view(1, 1, -1) >= lengths.view(-1, 1, 1)


def masked_softmax(scores, mask=None):
    keep = torch.ones_like(scores) if mask is None else (~mask).to(scores.dtype)
    low = scores if mask is None else torch.where(mask, torch.finfo(scores.dtype).min, scores)
    e = torch.exp(low - low.max(dim=-1, keepdim=True).values) * keep
    return e / e.sum(dim=-1, keepdim=True).clamp(min=1e-9)


def masked_attention(Q, K, V, mask=None):
    scale = math.sqrt(K.shape[-1])
    scores = torch.einsum("...kd,...qd->...kq", K, Q) / scale
    w = masked_softmax(scores, mask)
    return torch.matmul(w, V), w


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    B, T, _ = x.shape
    hidden = torch.zeros(B, T, T, dtype=torch.bool, device=x.device)
    if causal:
        hidden = torch.logical_or(hidden, causal_mask(T, device=x.device))
    if lengths is not None:
        hidden = torch.logical_or(hidden, padding_mask(lengths, T))
    output, weights = masked_attention(torch.matmul(x, W_Q), torch.matmul(x, W_K), torch.matmul(x, W_V), hidden)
    return output, weights
