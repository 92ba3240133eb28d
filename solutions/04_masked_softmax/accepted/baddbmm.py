# accepted: baddbmm with an additive mask, leading axes folded into one
import math

import torch


def causal_mask(n_queries, n_keys=None, device=None):
    if n_keys is None:
        n_keys = n_queries
    mask = torch.ones(n_queries, n_keys, dtype=torch.bool, device=device)
    return mask.triu_(n_keys - n_queries + 1)


def padding_mask(lengths, n_keys):
    mask = torch.arange(n_keys, device=lengths.device).repeat(len(lengths), 1)
    return mask.ge(lengths[:, None])[:, None]


def masked_softmax(scores, mask=None):
    if mask is None:
        return torch.softmax(scores, -1)
    low = scores.masked_fill(mask, torch.finfo(scores.dtype).min)
    return torch.softmax(low, -1).masked_fill(mask, 0.0)


def masked_attention(Q, K, V, mask=None):
    lead, n_q, d_k = Q.shape[:-2], Q.shape[-2], Q.shape[-1]
    n_k, d_v = V.shape[-2:]
    rows = math.prod(lead)
    q, k, v = Q.reshape(rows, n_q, d_k), K.reshape(rows, n_k, d_k), V.reshape(rows, n_k, d_v)
    zero = torch.zeros(1, n_q, n_k, dtype=Q.dtype, device=Q.device)
    scores = torch.baddbmm(zero, q, k.transpose(1, 2), alpha=1 / math.sqrt(d_k)).reshape(*lead, n_q, n_k)
    weights = masked_softmax(scores, mask)
    return torch.bmm(weights.reshape(rows, n_q, n_k), v).reshape(*lead, n_q, d_v), weights


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    T = x.shape[1]
    mask = causal_mask(T, device=x.device)[None] if causal else None
    if lengths is not None:
        mask = padding_mask(lengths, T) if mask is None else torch.bitwise_or(mask, padding_mask(lengths, T))
    return masked_attention(torch.matmul(x, W_Q), torch.matmul(x, W_K), torch.matmul(x, W_V), mask)
