import math

import torch


def causal_mask(n_queries, n_keys=None, device=None):
    if n_keys is None:
        n_keys = n_queries
    i = torch.arange(n_queries, device=device)
    j = torch.arange(n_keys, device=device)
    return j[None, :] > i[:, None] + (n_keys - n_queries)


def padding_mask(lengths, n_keys):
    j = torch.arange(n_keys, device=lengths.device)
    return j[None, None, :] >= lengths[:, None, None]


def masked_softmax(scores, mask=None):
    # -inf before the softmax -> exp gives exactly 0
    if mask is not None:
        scores = scores.masked_fill(mask, float("-inf"))
    return torch.softmax(scores, dim=-1)


def masked_attention(Q, K, V, mask=None):
    scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])
    weights = masked_softmax(scores, mask)
    return weights @ V, weights


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    T = x.shape[1]
    mask = torch.zeros(1, T, T, dtype=torch.bool, device=x.device)
    if causal:
        mask = mask | causal_mask(T, device=x.device)
    if lengths is not None:
        mask = mask | padding_mask(lengths, T)
    return masked_attention(x @ W_Q, x @ W_K, x @ W_V, mask)
