# mistakes: proj-matrix-transposed
import math

import torch
import torch.nn.functional as F


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
    scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.size(-1))
    weights = masked_softmax(scores, mask)
    return weights @ V, weights


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    q, k, v = F.linear(x, W_Q), F.linear(x, W_K), F.linear(x, W_V)
    T = x.shape[1]
    mask = torch.zeros(T, T, dtype=torch.bool, device=x.device)
    if causal:
        mask = torch.logical_or(mask, causal_mask(T, device=x.device))
    if lengths is not None:
        mask = torch.logical_or(mask, padding_mask(lengths, T))
    return masked_attention(q, k, v, mask)
