# mistakes: softmax-result-left-in-float64
import math

import torch


def causal_mask(n_queries, n_keys=None, device=None):
    n_keys = n_keys or n_queries
    everything = torch.ones(n_queries, n_keys, dtype=torch.bool, device=device)
    return everything.triu(1 + n_keys - n_queries)


def padding_mask(lengths, n_keys):
    steps = torch.arange(n_keys, device=lengths.device).repeat(lengths.shape[0], 1)
    return torch.ge(steps, lengths[:, None]).view(-1, 1, n_keys)


def masked_softmax(scores, mask=None):
    s = scores.to(torch.float64)
    if mask is None:
        return torch.softmax(s, dim=-1)
    p = torch.softmax(s.masked_fill(mask, -1e30), dim=-1)
    return p.masked_fill(mask, 0)


def masked_attention(Q, K, V, mask=None):
    weights = masked_softmax(Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1]), mask)
    return weights @ V.to(weights.dtype), weights


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    T = x.size(1)
    mask = None
    if causal:
        mask = causal_mask(T, device=x.device)
    if lengths is not None:
        pads = padding_mask(lengths, T)
        mask = pads if mask is None else mask | pads
    return masked_attention(x @ W_Q, x @ W_K, x @ W_V, mask)
