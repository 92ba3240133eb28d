# accepted: the softmax in float64, cast back
import math

import torch


def causal_mask(n_queries, n_keys=None, device=None):
    n_keys = n_queries if n_keys is None else n_keys
    return torch.ones((n_queries, n_keys), device=device).triu(1 - n_queries + n_keys).bool()


def padding_mask(lengths, n_keys):
    return torch.ge(torch.arange(n_keys, device=lengths.device), lengths[:, None]).unsqueeze(1)


def masked_softmax(scores, mask=None):
    s = scores.double()
    if mask is not None:
        s = s.masked_fill(mask, -1e30)
    e = (s - s.max(dim=-1, keepdim=True)[0]).exp()
    if mask is not None:
        e = e * ~mask
    return (e / (e.sum(dim=-1, keepdim=True) + 1e-300)).to(scores.dtype)


def masked_attention(Q, K, V, mask=None):
    scores = Q.double() @ K.double().transpose(-2, -1) / math.sqrt(Q.shape[-1])
    weights = masked_softmax(scores, mask)
    return (weights @ V.double()).to(V.dtype), weights.to(Q.dtype)


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    T = x.shape[1]
    mask = causal_mask(T, device=x.device) if causal else None
    if lengths is not None:
        padding = padding_mask(lengths, T)
        mask = padding if mask is None else torch.logical_or(mask, padding)
    return masked_attention(x @ W_Q, x @ W_K, x @ W_V, mask)
