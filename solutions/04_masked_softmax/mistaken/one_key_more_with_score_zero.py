# mistakes: softmax-extra-one-in-sum
import math

import torch


def causal_mask(n_queries, n_keys=None, device=None):
    if n_keys is None:
        n_keys = n_queries
    future = [[j > i + n_keys - n_queries for j in range(n_keys)] for i in range(n_queries)]
    return torch.tensor(future, dtype=torch.bool, device=device)


def padding_mask(lengths, n_keys):
    ids = torch.arange(n_keys, device=lengths.device)
    return ~(ids < lengths.unsqueeze(1)).unsqueeze(1)


def masked_softmax(scores, mask=None):
    nobody = torch.zeros_like(scores[..., :1])  # a key that is always there and is nobody
    s = scores if mask is None else scores.masked_fill(mask, float("-inf"))
    return torch.softmax(torch.cat([nobody, s], dim=-1), dim=-1)[..., 1:]


def masked_attention(Q, K, V, mask=None):
    scores = torch.einsum("...qd,...kd->...qk", Q, K) / math.sqrt(Q.size(-1))
    A = masked_softmax(scores, mask)
    return torch.einsum("...qk,...kv->...qv", A, V), A


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    queries, keys, values = (torch.einsum("btm,md->btd", x, W) for W in (W_Q, W_K, W_V))
    n = x.shape[1]
    hide = torch.zeros(1, n, n, dtype=torch.bool, device=x.device)
    if causal:
        hide = torch.logical_or(hide, causal_mask(n, device=x.device))
    if lengths is not None:
        hide = torch.logical_or(hide, padding_mask(lengths, n))
    return masked_attention(queries, keys, values, mask=hide)
