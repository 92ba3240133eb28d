# mistakes: mask-causal-always-on
import torch


def causal_mask(n_queries, n_keys=None, device=None):
    n_keys = n_queries if n_keys is None else n_keys
    i = torch.arange(n_queries, device=device).unsqueeze(1)
    j = torch.arange(n_keys, device=device).unsqueeze(0)
    offset = n_keys - n_queries
    return j > i + offset


def padding_mask(lengths, n_keys):
    valid = torch.arange(n_keys, device=lengths.device) < lengths.unsqueeze(1)
    return ~valid[:, None, :]


def masked_softmax(scores, mask=None):
    if mask is None:
        return torch.softmax(scores, dim=-1)
    weights = torch.softmax(scores.masked_fill(mask, -1e9), dim=-1)
    return weights.masked_fill(mask, 0.0)


def masked_attention(Q, K, V, mask=None):
    scores = torch.einsum("...id,...jd->...ij", Q, K) * Q.shape[-1] ** -0.5
    attn = masked_softmax(scores, mask)
    out = torch.einsum("...ij,...jv->...iv", attn, V)
    return out, attn


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    T = x.shape[1]
    future = torch.ones(T, T, device=x.device).triu(1).bool()
    hidden = future if lengths is None else future | padding_mask(lengths, T)
    return masked_attention(x @ W_Q, x @ W_K, x @ W_V, hidden)
