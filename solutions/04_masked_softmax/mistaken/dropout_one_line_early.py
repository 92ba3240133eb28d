# mistakes: dropout-before-softmax
import math

import torch
import torch.nn.functional as F


def causal_mask(n_queries, n_keys=None, device=None):
    if n_keys is None:
        n_keys = n_queries
    future = [[j > i + n_keys - n_queries for j in range(n_keys)] for i in range(n_queries)]
    return torch.tensor(future, dtype=torch.bool, device=device)


def padding_mask(lengths, n_keys):
    steps = torch.arange(n_keys, device=lengths.device).repeat(lengths.shape[0], 1)
    return torch.ge(steps, lengths[:, None]).view(-1, 1, n_keys)


def masked_softmax(scores, mask=None):
    if mask is None:
        return torch.softmax(scores, dim=-1)
    mask = mask.expand(scores.shape)
    nothing = mask.all(dim=-1, keepdim=True)
    s = scores.masked_fill(mask, float("-inf")).masked_fill(nothing, 0.0)
    return torch.softmax(s, dim=-1).masked_fill(mask, 0.0)


def masked_attention(Q, K, V, mask=None, dropout=0.1):
    scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.size(-1))
    scores = F.dropout(scores, p=dropout)
    attn = masked_softmax(scores, mask)
    return attn @ V, attn


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    queries, keys, values = (torch.einsum("btm,md->btd", x, W) for W in (W_Q, W_K, W_V))
    n = x.shape[1]
    hide = torch.zeros(1, n, n, dtype=torch.bool, device=x.device)
    if causal:
        hide = torch.logical_or(hide, causal_mask(n, device=x.device))
    if lengths is not None:
        hide = torch.logical_or(hide, padding_mask(lengths, n))
    return masked_attention(queries, keys, values, mask=hide)
