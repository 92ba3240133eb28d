# mistakes: mask-padding-on-query-axis
import math

import torch
import torch.nn.functional as F


def causal_mask(n_queries, n_keys=None, device=None):
    n_keys = n_queries if n_keys is None else n_keys
    keep = torch.tril(torch.ones(n_queries, n_keys, device=device), diagonal=n_keys - n_queries)
    return keep == 0


def padding_mask(lengths, n_keys):
    cols = torch.arange(n_keys, device=lengths.device)
    return (cols[None, :] >= lengths[:, None]).unsqueeze(1)


def masked_softmax(scores, mask=None):
    if mask is None:
        mask = torch.zeros_like(scores, dtype=torch.bool)
    weights = F.softmax(torch.where(mask, -1e9, scores), dim=-1)
    return weights * (~mask)


def masked_attention(Q, K, V, mask=None):
    scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.size(-1))
    weights = masked_softmax(scores, mask)
    return weights @ V, weights


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    batch, n, _ = x.shape
    blocked = torch.zeros(batch, n, n, dtype=torch.bool, device=x.device)
    if causal:
        blocked |= causal_mask(n, device=x.device)
    if lengths is not None:
        is_pad = padding_mask(lengths, n).squeeze(1)
        blocked |= is_pad[:, :, None]
    return masked_attention(x @ W_Q, x @ W_K, x @ W_V, blocked)
