# mistakes: mask-fully-masked-row-nan-gradient
# Rows with everything hidden are repaired after the softmax, so their gradients are NaN.
import math
import torch
from torch import nn


def causal_mask(n_queries, n_keys=None, device=None):
    if n_keys is None:
        n_keys = n_queries
    return ~torch.ones(n_queries, n_keys, dtype=torch.bool, device=device).tril(n_keys - n_queries)


def padding_mask(lengths, n_keys):
    b = lengths.numel()
    grid = torch.arange(n_keys, device=lengths.device).expand(b, 1, n_keys)
    return grid >= lengths.reshape(b, 1, 1)


softmax = nn.Softmax(dim=-1)


def masked_softmax(scores, mask=None):
    if mask is not None:
        bias = torch.zeros(mask.shape, dtype=scores.dtype, device=scores.device)
        bias = bias.masked_fill(mask, -math.inf)
        scores = scores + bias
    weights = softmax(scores)
    # a row full of -inf gives nan, replace it
    return torch.nan_to_num(weights, nan=0.0)


def masked_attention(Q, K, V, mask=None):
    weights = masked_softmax(Q.matmul(K.transpose(-2, -1)) / math.sqrt(K.shape[-1]), mask)
    return weights.matmul(V), weights


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    Q, K, V = x @ W_Q, x @ W_K, x @ W_V
    mask = None
    if causal:
        mask = causal_mask(x.shape[1], device=x.device)[None]
    if lengths is not None:
        pad = padding_mask(lengths, x.shape[1])
        mask = pad if mask is None else mask | pad
    return masked_attention(Q, K, V, mask)
