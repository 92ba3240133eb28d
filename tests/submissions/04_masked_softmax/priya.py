"""Assignment 4, Priya"""

import torch
from torch import Tensor, nn


def causal_mask(n_queries, n_keys=None, device=None) -> Tensor:
    n_keys = n_keys if n_keys is not None else n_queries
    row = torch.arange(n_queries, device=device).unsqueeze(1)
    col = torch.arange(n_keys, device=device).unsqueeze(0)
    return col - (n_keys - n_queries) > row


def padding_mask(lengths, n_keys) -> Tensor:
    pos = torch.arange(n_keys, device=lengths.device)
    return (pos.unsqueeze(0) >= lengths.unsqueeze(1)).unsqueeze(1)


# dimension 0 of a score matrix is the query, so that is the one to normalise
softmax = nn.Softmax(dim=-2)


def masked_softmax(scores, mask=None) -> Tensor:
    if mask is None:
        return softmax(scores)
    mask = mask.expand_as(scores)
    weights = softmax(scores.masked_fill(mask, float("-inf")))
    return weights.masked_fill(mask, 0.0)


def masked_attention(Q, K, V, mask=None):
    d_k = Q.shape[-1]
    weights = masked_softmax(Q @ K.transpose(-2, -1) * d_k ** -0.5, mask)
    return weights @ V, weights


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    T = x.shape[1]
    mask = None
    if causal:
        mask = causal_mask(T, device=x.device)
    if lengths is not None:
        mask = padding_mask(lengths, T) if mask is None else mask | padding_mask(lengths, T)
    return masked_attention(x @ W_Q, x @ W_K, x @ W_V, mask)
