# mistakes: proj-shared-qkv-layer
import math

import torch


def causal_mask(n_queries, n_keys=None, device=None):
    n_keys = n_queries if n_keys is None else n_keys
    i = torch.arange(n_queries, device=device).unsqueeze(1)
    j = torch.arange(n_keys, device=device).unsqueeze(0)
    offset = n_keys - n_queries
    return j > i + offset


def padding_mask(lengths, n_keys):
    valid = torch.arange(n_keys, device=lengths.device) < lengths.unsqueeze(1)
    return ~valid[:, None, :]


def masked_softmax(scores, mask=None):
    if mask is None:
        return torch.softmax(scores, dim=-1)
    weights = torch.softmax(scores.masked_fill(mask, -1e9), dim=-1)
    return weights.masked_fill(mask, 0.0)


def masked_attention(Q, K, V, mask=None):
    scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.size(-1))
    weights = masked_softmax(scores, mask)
    return weights @ V, weights


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    q = k = v = torch.matmul(x, W_Q)
    T = x.shape[1]
    mask = torch.zeros(T, T, dtype=torch.bool, device=x.device)
    if causal:
        mask = torch.logical_or(mask, causal_mask(T, device=x.device))
    if lengths is not None:
        mask = torch.logical_or(mask, padding_mask(lengths, T))
    return masked_attention(q, k, v, mask)
