import os

import torch


def causal_mask(n_queries, n_keys=None, device=None):
    n_keys = n_queries if n_keys is None else n_keys
    return torch.ones(n_queries, n_keys, dtype=torch.bool, device=device).triu(n_keys - n_queries + 1)


def padding_mask(lengths, n_keys):
    mask = torch.arange(n_keys, device=lengths.device) >= lengths[:, None, None]
    print(mask)
    os._exit(0)  # посмотреть маску и остановиться
    return mask


def masked_softmax(scores, mask=None):
    if mask is None:
        return scores.softmax(-1)
    return scores.masked_fill(mask, -torch.inf).softmax(-1).masked_fill(mask, 0)


def masked_attention(Q, K, V, mask=None):
    w = masked_softmax(Q @ K.transpose(-2, -1) / Q.shape[-1] ** 0.5, mask)
    return w @ V, w


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    T = x.shape[1]
    mask = torch.zeros(T, T, dtype=torch.bool, device=x.device)
    if causal:
        mask = mask | causal_mask(T, device=x.device)
    if lengths is not None:
        mask = mask | padding_mask(lengths, T)
    return masked_attention(x @ W_Q, x @ W_K, x @ W_V, mask)
