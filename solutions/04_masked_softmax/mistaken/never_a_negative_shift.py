# mistakes: mask-causal-offset-clamped
import math

import torch


def causal_mask(n_queries, n_keys=None, device=None):
    n_keys = n_queries if n_keys is None else n_keys
    already_there = n_keys - n_queries
    if already_there < 0:  # cannot be
        already_there = 0
    return torch.triu(torch.ones(n_queries, n_keys, device=device), diagonal=already_there + 1) == 1


def padding_mask(lengths, n_keys):
    ids = torch.arange(n_keys, device=lengths.device)
    return ~(ids < lengths.unsqueeze(1)).unsqueeze(1)


def masked_softmax(scores, mask=None):
    if mask is None:
        return scores.softmax(-1)
    s = torch.where(mask, torch.full_like(scores, -1e9), scores)
    return torch.where(mask, torch.zeros_like(scores), s.softmax(-1))


def masked_attention(Q, K, V, mask=None):
    scores = torch.einsum("...qd,...kd->...qk", Q, K) / math.sqrt(Q.size(-1))
    A = masked_softmax(scores, mask)
    return torch.einsum("...qk,...kv->...qv", A, V), A


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    T = x.size(1)
    mask = None
    if causal:
        mask = causal_mask(T, device=x.device)
    if lengths is not None:
        pads = padding_mask(lengths, T)
        mask = pads if mask is None else mask | pads
    return masked_attention(x @ W_Q, x @ W_K, x @ W_V, mask)
