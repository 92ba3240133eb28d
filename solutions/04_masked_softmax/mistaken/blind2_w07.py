# mistakes: mask-hidden-scores-set-the-scale, mask-combined-with-wrong-operator
import torch
from torch import Tensor


def causal_mask(n_queries, n_keys=None, device=None):
    n_keys = n_queries if n_keys is None else n_keys
    i = torch.arange(n_queries, device=device).unsqueeze(1)
    j = torch.arange(n_keys, device=device).unsqueeze(0)
    return j - (n_keys - n_queries) > i


def padding_mask(lengths, n_keys):
    j = torch.arange(n_keys, device=lengths.device)
    return (j >= lengths[:, None]).unsqueeze(1)


def masked_softmax(scores, mask=None):
    weights = torch.softmax(scores, dim=-1)
    if mask is not None:
        weights = weights * (~mask)
        sums = weights.sum(dim=-1, keepdim=True)
        weights = weights / torch.where(sums > 0, sums, torch.ones_like(sums))
    return weights


def masked_attention(Q, K, V, mask=None):
    w = masked_softmax(Q @ K.transpose(-2, -1) / Q.shape[-1] ** 0.5, mask)
    return w @ V, w


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    T = x.shape[1]
    future = causal_mask(T, device=x.device) if causal else None
    padding = padding_mask(lengths, T) if lengths is not None else None
    if causal and lengths is not None:
        mask = torch.logical_and(future, padding)
    elif causal:
        mask = future
    else:
        mask = padding
    return masked_attention(x @ W_Q, x @ W_K, x @ W_V, mask)
