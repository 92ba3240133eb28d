# mistakes: einsum-independent-sum-in-scores
import math

import torch


def causal_mask(n_queries, n_keys=None, device=None):
    if n_keys is None:
        n_keys = n_queries
    future = [[j > i + n_keys - n_queries for j in range(n_keys)] for i in range(n_queries)]
    return torch.tensor(future, dtype=torch.bool, device=device)


def padding_mask(lengths, n_keys):
    hidden = torch.zeros(lengths.shape[0], 1, n_keys, dtype=torch.bool, device=lengths.device)
    for b, length in enumerate(lengths.tolist()):
        hidden[b, 0, length:] = True
    return hidden


def masked_softmax(scores, mask=None):
    if mask is not None:
        scores = scores.masked_fill(mask, torch.finfo(scores.dtype).min)
    e = (scores - scores.max(dim=-1, keepdim=True).values).exp()
    if mask is not None:
        e = e.masked_fill(mask, 0.0)
    total = e.sum(-1, keepdim=True)
    return e / torch.where(total > 0, total, torch.ones_like(total))


def masked_attention(Q, K, V, mask=None):
    scores = torch.einsum("...qd,...ke->...qk", Q, K) / math.sqrt(Q.shape[-1])
    weights = masked_softmax(scores, mask)
    return torch.einsum("...qk,...kd->...qd", weights, V), weights


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    queries, keys, values = (torch.einsum("btm,md->btd", x, W) for W in (W_Q, W_K, W_V))
    n = x.shape[1]
    hide = torch.zeros(1, n, n, dtype=torch.bool, device=x.device)
    if causal:
        hide = torch.logical_or(hide, causal_mask(n, device=x.device))
    if lengths is not None:
        hide = torch.logical_or(hide, padding_mask(lengths, n))
    return masked_attention(queries, keys, values, mask=hide)
