# mistakes: mask-row-emptied-by-one-hidden-key
import math

import torch
import torch.nn.functional as F


def causal_mask(n_queries, n_keys=None, device=None):
    total = n_queries if n_keys is None else n_keys
    columns = torch.arange(total, device=device).unsqueeze(0)
    rows = torch.arange(total - n_queries, total, device=device).unsqueeze(1)
    return torch.lt(rows, columns)


def padding_mask(lengths, n_keys):
    ids = torch.arange(n_keys, device=lengths.device)
    return ~(ids < lengths.unsqueeze(1)).unsqueeze(1)


def masked_softmax(scores, mask=None):
    if mask is None:
        return F.softmax(scores, dim=-1)
    p = F.softmax(scores.masked_fill(mask, -1e9), dim=-1)
    dead_rows = mask.any(dim=-1).unsqueeze(-1)
    return torch.where(dead_rows, torch.zeros_like(p), p)


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
