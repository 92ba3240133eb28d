# accepted: in its own way
import numpy as np
import torch
from torch import Tensor


def causal_mask(n_queries, n_keys=None, device=None):
    if n_keys is None:
        n_keys = n_queries
    i, j = np.indices((n_queries, n_keys))
    return torch.as_tensor(j - i > n_keys - n_queries, device=device)


def padding_mask(lengths, n_keys):
    # an extra column, so that a full sentence can put its mark there; the mark is then carried on to the right
    marks = torch.zeros(len(lengths), n_keys + 1, dtype=torch.long, device=lengths.device)
    marks.scatter_(1, lengths.long()[:, None], 1)
    return marks.cumsum(1)[:, None, :-1].bool()


def masked_softmax(scores, mask=None):
    if mask is None:
        mask = torch.zeros_like(scores, dtype=torch.bool)
    keep = ~mask
    top = scores.detach().masked_fill(mask, torch.finfo(scores.dtype).min).max(-1, keepdim=True)[0]
    safe = torch.where(keep, scores - top, 0)
    e = torch.where(keep, safe.exp(), 0)
    total = e.sum(-1, keepdim=True)
    return e / torch.where(total > 0, total, 1)


def masked_attention(Q, K, V, mask=None):
    scores = np.power(K.shape[-1], -0.5) * (Q @ K.swapaxes(-1, -2))
    weights = masked_softmax(scores, mask)
    return weights @ V, weights


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    T = x.shape[-2]
    place = torch.arange(T, device=x.device)
    limit = place[None, :, None] + 1 if causal else torch.full((1, T, 1), T, device=x.device)
    if lengths is not None:
        limit = torch.minimum(limit, lengths[:, None, None])
    return masked_attention(x @ W_Q, x @ W_K, x @ W_V, place >= limit)
