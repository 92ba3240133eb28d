# accepted: additive mask of 0 and -1e9, then hidden weights wiped out
import math

import torch


def causal_mask(n_queries, n_keys=None, device=None):
    if n_keys is None:
        n_keys = n_queries
    q = torch.arange(n_keys - n_queries, n_keys, device=device)
    k = torch.arange(n_keys, device=device)
    return q[:, None] < k[None, :]


def padding_mask(lengths, n_keys):
    k = torch.arange(n_keys, device=lengths.device)
    return (lengths[:, None] <= k[None, :])[:, None, :]


def masked_softmax(scores, mask=None):
    if mask is None:
        bias = torch.zeros_like(scores)
    else:
        bias = mask.to(scores.dtype) * -1e9
    weights = torch.softmax(scores + bias, dim=-1)
    return weights * (bias == 0)


def masked_attention(Q, K, V, mask=None):
    weights = masked_softmax(Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1]), mask)
    output = (weights.unsqueeze(-1) * V.unsqueeze(-3)).sum(-2)
    return output, weights


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    T = x.shape[1]
    bias = torch.zeros(T, T, device=x.device)
    if causal:
        bias = bias + causal_mask(T, device=x.device)
    if lengths is not None:
        bias = bias + padding_mask(lengths, T)
    return masked_attention(x @ W_Q, x @ W_K, x @ W_V, bias > 0)
