# mistakes: score-transpose-counted-from-front
# masked_attention transposes axes 1 and 2 of K, which is only right for exactly one batch axis.
import math
import torch


def causal_mask(n_queries, n_keys=None, device=None):
    if n_keys is None:
        n_keys = n_queries
    return torch.arange(n_keys, device=device) > torch.arange(n_queries, device=device)[:, None] + n_keys - n_queries


def padding_mask(lengths, n_keys):
    return torch.ge(torch.arange(n_keys, device=lengths.device), lengths[:, None, None])


def masked_softmax(scores, mask=None):
    if mask is None:
        return scores.softmax(-1)
    scores = scores.masked_fill(mask, -1e9)
    return scores.softmax(-1).masked_fill(mask, 0.0)


def masked_attention(Q, K, V, mask=None):
    dim = Q.shape[-1]
    scores = torch.matmul(Q, K.transpose(1, 2)) / math.sqrt(dim)
    weights = masked_softmax(scores, mask)
    return torch.matmul(weights, V), weights


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    mask = None
    n = x.shape[1]
    if lengths is not None:
        mask = padding_mask(lengths, n)
    if causal:
        c = causal_mask(n, device=x.device)
        mask = c if mask is None else mask | c
    return masked_attention(torch.matmul(x, W_Q), torch.matmul(x, W_K), torch.matmul(x, W_V), mask)
