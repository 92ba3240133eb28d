# mistakes: softmax-applied-twice
import math

import torch
import torch.nn.functional as F


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
    probs = F.softmax(Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1]), dim=-1)
    probs = masked_softmax(probs, mask)
    return probs @ V, probs


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    q, k, v = x @ W_Q, x @ W_K, x @ W_V
    n = x.size(1)
    mask = causal_mask(n, n, x.device) if causal else None
    if lengths is not None:
        pad = padding_mask(lengths, n)
        mask = pad if mask is None else mask | pad
    return masked_attention(q, k, v, mask)
