# mistakes: score-scale-by-value-width
import numpy as np
import torch
from torch import Tensor


def causal_mask(n_queries, n_keys=None, device=None):
    if n_keys is None:
        n_keys = n_queries
    m = np.triu(np.ones((n_queries, n_keys)), k=n_keys - n_queries + 1).astype(bool)
    return torch.from_numpy(m).to(device)


def padding_mask(lengths, n_keys):
    position = torch.ones(len(lengths), n_keys, device=lengths.device).cumsum(dim=1)
    return (position > lengths.unsqueeze(1)).unsqueeze(1)


def masked_softmax(scores, mask=None):
    x = scores
    if mask is not None:
        x = x.masked_fill(mask, -1e30)
    x = x - x.max(dim=-1, keepdim=True).values
    ex = x.exp()
    p = ex / ex.sum(dim=-1, keepdim=True)
    if mask is not None:
        p = p.masked_fill(mask, 0.0)
    return p


def masked_attention(Q, K, V, mask=None):
    d = V.shape[-1]
    logits = torch.einsum("...id,...jd->...ij", Q, K) / np.sqrt(d)
    att = masked_softmax(logits, mask)
    return torch.einsum("...ij,...jd->...id", att, V), att


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    B, T, D = x.shape
    mask = torch.zeros(B, T, T, device=x.device).bool()
    if causal:
        mask = torch.logical_or(mask, causal_mask(T, device=x.device))
    if lengths is not None:
        mask = torch.logical_or(mask, padding_mask(lengths, T))
    q = torch.einsum("btd,dk->btk", x, W_Q)
    k = torch.einsum("btd,dk->btk", x, W_K)
    v = torch.einsum("btd,dk->btk", x, W_V)
    w = masked_softmax(torch.einsum("bik,bjk->bij", q, k) / q.shape[-1] ** 0.5, mask)
    return w @ v, w
