# mistakes: mask-fill-sign-or-exponent-typo
import math

import torch


def causal_mask(n_queries, n_keys=None, device=None):
    if n_keys is None:
        n_keys = n_queries
    mask = torch.zeros(n_queries, n_keys, dtype=torch.bool, device=device)
    for i in range(n_queries):
        for j in range(n_keys):
            mask[i, j] = j > i + n_keys - n_queries
    return mask


def padding_mask(lengths, n_keys):
    mask = torch.zeros(lengths.shape[0], 1, n_keys, dtype=torch.bool, device=lengths.device)
    for b in range(lengths.shape[0]):
        mask[b, :, int(lengths[b]):] = True
    return mask


def masked_softmax(scores, mask=None):
    if mask is not None:
        scores = torch.where(mask, torch.full_like(scores, 1e9), scores)
    return scores.softmax(-1)


def masked_attention(Q, K, V, mask=None):
    scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.size(-1))
    weights = masked_softmax(scores, mask)
    return weights @ V, weights


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    T = x.shape[1]
    mask = torch.zeros(T, T, dtype=torch.bool, device=x.device)
    if causal:
        mask = mask | causal_mask(T, device=x.device)
    if lengths is not None:
        mask = mask | padding_mask(lengths, T)
    return masked_attention(x @ W_Q, x @ W_K, x @ W_V, mask)
