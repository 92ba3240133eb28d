import math

import torch

MAX_LENGTH = 330_000  # longest text we might ever want


def causal_mask(n_queries, n_keys=None, device=None):
    if n_keys is None:
        n_keys = n_queries
    # build the big mask and cut the corner that is needed
    big = torch.ones(MAX_LENGTH, MAX_LENGTH, dtype=torch.bool).triu(1 + n_keys - n_queries)
    return big[:n_queries, :n_keys].to(device)


def padding_mask(lengths, n_keys):
    return torch.arange(n_keys, device=lengths.device) >= lengths[:, None, None]


def masked_softmax(scores, mask=None):
    if mask is None:
        return torch.softmax(scores, dim=-1)
    return torch.softmax(scores.masked_fill(mask, -math.inf), dim=-1).masked_fill(mask, 0.0)


def masked_attention(Q, K, V, mask=None):
    weights = masked_softmax(Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1]), mask)
    return weights @ V, weights


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    T = x.shape[1]
    mask = torch.zeros(T, T, dtype=torch.bool, device=x.device)
    if causal:
        mask = mask | causal_mask(T, device=x.device)
    if lengths is not None:
        mask = mask | padding_mask(lengths, T)
    return masked_attention(x @ W_Q, x @ W_K, x @ W_V, mask)
