# accepted: queries and keys scaled by d_k to the power -1/4 each; masks from cumsum
import torch
import torch.nn.functional as F


def causal_mask(n_queries, n_keys=None, device=None):
    n_keys = n_queries if n_keys is None else n_keys
    cols = torch.ones(n_queries, n_keys, dtype=torch.long, device=device).cumsum(1)
    rows = torch.ones(n_queries, n_keys, dtype=torch.long, device=device).cumsum(0)
    return cols - rows > n_keys - n_queries


def padding_mask(lengths, n_keys):
    counter = torch.ones(lengths.shape[0], 1, n_keys, dtype=torch.long, device=lengths.device).cumsum(-1)
    return counter > lengths[:, None, None]


def masked_softmax(scores, mask=None):
    if mask is None:
        return F.softmax(scores, dim=-1)
    blocked = scores.masked_fill(mask, float("-inf"))
    dead = torch.isneginf(blocked).all(dim=-1, keepdim=True)
    return F.softmax(blocked.masked_fill(dead, 0.0), dim=-1).masked_fill(dead, 0.0)


def masked_attention(Q, K, V, mask=None):
    s = Q.shape[-1] ** -0.25
    attention = masked_softmax((Q * s) @ (K * s).transpose(-2, -1), mask)
    return attention @ V, attention


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    n = x.shape[-2]
    mask = None
    if causal:
        mask = causal_mask(n, device=x.device)
    if lengths is not None:
        padded = padding_mask(lengths, n)
        mask = padded if mask is None else mask.logical_or(padded)
    return masked_attention(x @ W_Q, x @ W_K, x @ W_V, mask)
