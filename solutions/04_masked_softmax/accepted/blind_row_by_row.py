# accepted: every query on its own, only over its visible keys, no mask value at all
import itertools
import math
import torch


def causal_mask(n_queries, n_keys=None, device=None):
    n_keys = n_queries if n_keys is None else n_keys
    pairs = [key - n_keys > query - n_queries for query, key in itertools.product(range(n_queries), range(n_keys))]
    return torch.tensor(pairs, dtype=torch.bool, device=device).view(n_queries, n_keys)


def padding_mask(lengths, n_keys):
    rows = [[[False] * int(n) + [True] * (n_keys - int(n))] for n in lengths]
    return torch.tensor(rows, dtype=torch.bool, device=lengths.device).reshape(-1 if rows else 0, 1, n_keys)


def _one_row(row, hidden):
    weights = torch.zeros_like(row)
    visible = torch.nonzero(~hidden).flatten()
    if visible.numel() == 0:
        return row * 0
    return weights.index_copy(0, visible, torch.softmax(row[visible], 0))


def masked_softmax(scores, mask=None):
    if mask is None:
        mask = torch.zeros((), dtype=torch.bool, device=scores.device)
    hidden = mask.expand(scores.shape).reshape(-1, scores.shape[-1])
    rows = [_one_row(s, h) for s, h in zip(scores.reshape(-1, scores.shape[-1]), hidden)]
    return torch.stack(rows).view(scores.shape) if rows else scores * 1


def masked_attention(Q, K, V, mask=None):
    weights = masked_softmax(Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1]), mask)
    return weights @ V, weights


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    n = x.shape[1]
    mask = torch.zeros(n, n, dtype=torch.bool, device=x.device)
    if causal:
        mask = causal_mask(n, device=x.device)
    if lengths is not None:
        mask = mask | padding_mask(lengths, n)
    return masked_attention(x @ W_Q, x @ W_K, x @ W_V, mask)
