# accepted: fill with -1e9, library softmax, hidden weights set to 0 afterwards
import torch
import torch.nn.functional as F


def causal_mask(n_queries, n_keys=None, device=None):
    if n_keys is None:
        n_keys = n_queries
    ones = torch.ones(n_queries, n_keys, dtype=torch.bool, device=device)
    return torch.triu(ones, diagonal=1 + n_keys - n_queries)


def padding_mask(lengths, n_keys):
    cols = torch.arange(n_keys, device=lengths.device)
    return ~(cols < lengths.unsqueeze(-1)).unsqueeze(1)


def masked_softmax(scores, mask=None):
    if mask is not None:
        scores = scores.masked_fill(mask, -1e9)
    weights = F.softmax(scores, dim=-1)
    if mask is not None:
        weights = weights.masked_fill(mask, 0)
    return weights


def masked_attention(Q, K, V, mask=None):
    scores = Q @ K.transpose(-1, -2) * Q.shape[-1] ** -0.5
    weights = masked_softmax(scores, mask)
    return weights @ V, weights


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    q, k, v = x @ W_Q, x @ W_K, x @ W_V
    T = x.size(1)
    mask = torch.zeros(1, T, T, dtype=torch.bool, device=x.device)
    if causal:
        mask = mask | causal_mask(T, T, x.device)
    if lengths is not None:
        mask = mask | padding_mask(lengths, T)
    return masked_attention(q, k, v, mask)
