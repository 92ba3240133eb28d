# accepted: fill with -inf, library softmax, NaN of empty rows replaced (masked_fill keeps their gradient out)
import math

import torch
from torch import nn


def causal_mask(n_queries, n_keys=None, device=None):
    if n_keys is None:
        n_keys = n_queries
    full = torch.full((n_queries, n_keys), float("-inf"), device=device)
    return full.triu(n_keys - n_queries + 1) != 0


def padding_mask(lengths, n_keys):
    return (torch.arange(n_keys, device=lengths.device) + 1 > lengths[:, None])[:, None]


def masked_softmax(scores, mask=None):
    if mask is not None:
        scores = scores.masked_fill(mask, float("-inf"))
    return torch.nan_to_num(nn.Softmax(dim=-1)(scores), nan=0.0)


def masked_attention(Q, K, V, mask=None):
    scores = torch.einsum("...qd,...kd->...qk", Q, K) / math.sqrt(K.shape[-1])
    weights = masked_softmax(scores, mask)
    output = torch.einsum("...qk,...kv->...qv", weights, V)
    return output, weights


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    Q = torch.einsum("btm,mk->btk", x, W_Q)
    K = torch.einsum("btm,mk->btk", x, W_K)
    V = torch.einsum("btm,mv->btv", x, W_V)
    T = x.shape[1]
    hide = torch.zeros((), dtype=torch.bool, device=x.device).expand(T, T)
    if causal:
        hide = hide.logical_or(causal_mask(T, device=x.device))
    if lengths is not None:
        hide = hide.logical_or(padding_mask(lengths, T))
    return masked_attention(Q, K, V, hide)
