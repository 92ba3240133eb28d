# mistakes: mask-causal-always-square
import torch
import torch.nn.functional as F


def causal_mask(n_queries, n_keys=None, device=None):
    n = n_queries
    i, j = torch.meshgrid(torch.arange(n, device=device), torch.arange(n, device=device), indexing="ij")
    return j > i


def padding_mask(lengths, n_keys):
    cols = torch.arange(n_keys, device=lengths.device)
    return (cols[None, :] >= lengths[:, None]).unsqueeze(1)


def masked_softmax(scores, mask=None):
    if mask is None:
        mask = torch.zeros_like(scores, dtype=torch.bool)
    weights = F.softmax(torch.where(mask, -1e9, scores), dim=-1)
    return weights * (~mask)


def masked_attention(Q, K, V, mask=None):
    scores = torch.einsum("...id,...jd->...ij", Q, K) * Q.shape[-1] ** -0.5
    attn = masked_softmax(scores, mask)
    out = torch.einsum("...ij,...jv->...iv", attn, V)
    return out, attn


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    q, k, v = x @ W_Q, x @ W_K, x @ W_V
    n = x.size(1)
    mask = causal_mask(n, n, x.device) if causal else None
    if lengths is not None:
        pad = padding_mask(lengths, n)
        mask = pad if mask is None else mask | pad
    return masked_attention(q, k, v, mask)
