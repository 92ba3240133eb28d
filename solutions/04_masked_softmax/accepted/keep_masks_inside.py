# accepted: keep masks inside, turned round at the border
import math

import torch


def _keep(n_queries, n_keys, device):
    return torch.ones(n_queries, n_keys, device=device).tril(n_keys - n_queries) > 0.5


def causal_mask(n_queries, n_keys=None, device=None):
    return ~_keep(n_queries, n_keys if n_keys is not None else n_queries, device)


def padding_mask(lengths, n_keys):
    keep = torch.arange(n_keys, device=lengths.device)[None, :] < lengths[:, None]
    return ~keep[:, None, :]


def masked_softmax(scores, mask=None):
    keep = torch.ones_like(scores, dtype=torch.bool) if mask is None else torch.logical_not(mask)
    keep = keep.expand_as(scores)
    scores = torch.where(keep, scores, torch.finfo(scores.dtype).min / 2)
    weights = torch.softmax(scores, dim=-1)
    return torch.where(keep, weights, torch.zeros((), dtype=weights.dtype, device=weights.device))


def masked_attention(Q, K, V, mask=None):
    similarity = torch.matmul(Q, torch.swapaxes(K, -1, -2))
    weights = masked_softmax(similarity * (1.0 / math.sqrt(K.shape[-1])), mask)
    return (torch.matmul(weights, V), weights)


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    T = x.shape[1]
    keep = torch.ones(T, T, dtype=torch.bool, device=x.device)
    if causal:
        keep = keep & _keep(T, T, x.device)
    if lengths is not None:
        keep = keep & ~padding_mask(lengths, T)
    return masked_attention(x @ W_Q, x @ W_K, x @ W_V, ~keep)
