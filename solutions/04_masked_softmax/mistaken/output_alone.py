# mistakes: weights-not-returned
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
    p = masked_softmax(torch.matmul(Q, K.transpose(-2, -1)) / math.sqrt(Q.size(-1)), mask)
    return torch.matmul(p, V)


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    q, k, v = x @ W_Q, x @ W_K, x @ W_V
    n = x.size(1)
    mask = causal_mask(n, n, x.device) if causal else None
    if lengths is not None:
        pad = padding_mask(lengths, n)
        mask = pad if mask is None else mask | pad
    return masked_attention(q, k, v, mask)
