# mistakes: autograd-cut, mask-causal-always-on
import torch
from torch import Tensor


def causal_mask(n_queries, n_keys=None, device=None):
    if n_keys is None:
        n_keys = n_queries
    return torch.ones((n_queries, n_keys), dtype=torch.bool, device=device).triu(n_keys - n_queries + 1)


def padding_mask(lengths, n_keys):
    return torch.arange(n_keys, device=lengths.device).view(1, 1, n_keys) >= lengths.view(-1, 1, 1)


def masked_softmax(scores, mask=None):
    if mask is None:
        return torch.softmax(scores, dim=-1)
    filled = torch.where(mask, torch.full_like(scores, -1e30), scores)
    soft = torch.softmax(filled, dim=-1)
    weights = soft.detach().clone()
    weights[mask.expand_as(weights)] = 0
    return weights


def masked_attention(Q, K, V, mask=None):
    scores = torch.einsum("...id,...jd->...ij", Q, K) / Q.shape[-1] ** 0.5
    if mask is None:
        mask = torch.zeros_like(scores, dtype=torch.bool)
    e = torch.softmax(scores.masked_fill(mask, -1e30), dim=-1)
    e = e.masked_fill(mask, 0)
    return e @ V, e


def self_attention(x, W_Q, W_K, W_V, causal=True, lengths=None):
    T = x.shape[1]
    mask = None
    if causal:
        mask = causal_mask(T, device=x.device)
    if lengths is not None:
        pad = padding_mask(lengths, T)
        mask = pad if mask is None else mask | pad
    return masked_attention(x @ W_Q, x @ W_K, x @ W_V, mask)
