import torch
from torch.nn import functional as F

# https://pytorch.org/docs: is_causal=True is torch.ones(L, S).tril()


def causal_mask(n_queries, n_keys=None, device=None):
    if n_keys is None:
        n_keys = n_queries
    visible = torch.ones(n_queries, n_keys, dtype=torch.bool, device=device).tril(diagonal=0)
    return visible.logical_not()


def padding_mask(lengths, n_keys):
    return torch.arange(n_keys, device=lengths.device).unsqueeze(0).unsqueeze(0) >= lengths.unsqueeze(1).unsqueeze(1)


def masked_softmax(scores, mask=None):
    if mask is None:
        return F.softmax(scores, dim=-1)
    return F.softmax(scores.masked_fill(mask, -torch.inf), dim=-1).masked_fill(mask, 0.0)


def masked_attention(Q, K, V, mask=None):
    weights = masked_softmax(Q @ K.transpose(-2, -1) / Q.shape[-1] ** 0.5, mask)
    return weights @ V, weights


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    T = x.shape[1]
    mask = torch.zeros(T, T, dtype=torch.bool, device=x.device)
    if causal:
        mask = causal_mask(T, device=x.device)
    if lengths is not None:
        mask = mask | padding_mask(lengths, T)
    return masked_attention(x @ W_Q, x @ W_K, x @ W_V, mask)
