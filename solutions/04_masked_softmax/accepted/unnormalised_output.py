# accepted: (exp @ V) / sum, everything written out in each function
import math

import torch


def causal_mask(n_queries, n_keys=None, device=None):
    n_keys = n_queries if n_keys is None else n_keys
    return torch.arange(n_keys, device=device) >= torch.arange(1 + n_keys - n_queries, 1 + n_keys, device=device)[:, None]


def padding_mask(lengths, n_keys):
    grid = torch.arange(n_keys, device=lengths.device).tile(lengths.shape[0], 1, 1)
    return grid >= lengths[:, None, None]


def exponentials(scores, mask):
    low = scores.masked_fill(mask, -1e30)
    return torch.exp(low - low.amax(-1, keepdim=True)).masked_fill(mask, 0.0)


def masked_softmax(scores, mask=None):
    if mask is None:
        mask = torch.zeros(1, dtype=torch.bool, device=scores.device)
    e = exponentials(scores, mask)
    total = e.sum(-1, keepdim=True)
    return e / total.where(total > 0, torch.ones_like(total))


def masked_attention(Q, K, V, mask=None):
    scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])
    if mask is None:
        mask = torch.zeros(1, dtype=torch.bool, device=Q.device)
    e = exponentials(scores, mask)
    total = e.sum(-1, keepdim=True)
    total = total + (total == 0)
    return (e @ V) / total, e / total


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    n = x.shape[1]
    q, k, v = (x @ W for W in (W_Q, W_K, W_V))
    i = torch.arange(n, device=x.device)
    hidden = torch.zeros(n, n, dtype=torch.bool, device=x.device)
    if causal:
        hidden = i[None, :] > i[:, None]
    if lengths is not None:
        hidden = hidden[None] | (i[None, None, :] >= lengths[:, None, None])
    return masked_attention(q, k, v, hidden)
