#!/usr/bin/env python3
import sys
from math import sqrt

import torch


def causal_mask(n_queries, n_keys=None, device=None):
    if n_keys is None:
        n_keys = n_queries
    idx_q = torch.arange(n_queries, device=device).reshape(-1, 1)
    idx_k = torch.arange(n_keys, device=device).reshape(1, -1)
    # distance from the end is what counts
    return (n_keys - 1 - idx_k) < (n_queries - 1 - idx_q)


def padding_mask(lengths, n_keys):
    idx = torch.arange(n_keys, device=lengths.device)
    rows = [idx >= n for n in lengths]
    return torch.stack(rows).unsqueeze(1) if rows else torch.zeros(0, 1, n_keys, dtype=torch.bool, device=lengths.device)


def masked_softmax(scores, mask=None):
    if mask is None:
        mask = torch.zeros_like(scores, dtype=torch.bool)
    empty = mask.all(dim=-1, keepdim=True)
    safe = scores.masked_fill(mask & ~empty, float("-inf"))
    return safe.softmax(dim=-1).masked_fill(empty, 0.0)


def masked_attention(Q, K, V, mask=None):
    weights = masked_softmax(Q @ K.transpose(-2, -1) / sqrt(K.size(-1)), mask)
    return weights @ V, weights


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    T = x.shape[1]
    mask = torch.zeros(T, T, dtype=torch.bool, device=x.device)
    if causal:
        mask = causal_mask(T, device=x.device)
    if lengths is not None:
        mask = mask | padding_mask(lengths, T)
    return masked_attention(x @ W_Q, x @ W_K, x @ W_V, mask)


def main():
    print("causal mask for 5 tokens:")
    print(causal_mask(5).long())
    return 0


sys.exit(main())
