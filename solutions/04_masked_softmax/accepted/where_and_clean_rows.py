# accepted: -inf by torch.where, library softmax on rows made harmless first, index comparison for the masks
import math

import torch


def causal_mask(n_queries, n_keys=None, device=None):
    n_keys = n_queries if n_keys is None else n_keys
    i = torch.arange(n_queries, device=device).unsqueeze(1)
    j = torch.arange(n_keys, device=device).unsqueeze(0)
    return j - i > n_keys - n_queries


def padding_mask(lengths, n_keys):
    return torch.arange(n_keys, device=lengths.device)[None, None, :] >= lengths[:, None, None]


def masked_softmax(scores, mask=None):
    if mask is None:
        return torch.softmax(scores, dim=-1)
    mask = mask.expand_as(scores)
    empty = mask.all(dim=-1, keepdim=True)
    safe = torch.where(mask & ~empty, float("-inf"), scores)
    weights = torch.softmax(safe, dim=-1)
    return torch.where(empty, 0.0, weights)


def masked_attention(Q, K, V, mask=None):
    d_k = Q.size(-1)
    scores = torch.matmul(Q, K.mT) / math.sqrt(d_k)
    w = masked_softmax(scores, mask)
    return torch.matmul(w, V), w


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    B, T, _ = x.shape
    mask = None
    if causal:
        mask = causal_mask(T, device=x.device)
    if lengths is not None:
        pad = padding_mask(lengths, T)
        mask = pad if mask is None else mask | pad
    return masked_attention(x @ W_Q, x @ W_K, x @ W_V, mask)
