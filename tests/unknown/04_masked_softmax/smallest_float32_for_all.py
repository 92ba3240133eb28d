# masked_softmax fills with the smallest float32 whatever the dtype, which fails in bfloat16.
import torch

NEG = torch.finfo(torch.float32).min


def causal_mask(n_queries, n_keys=None, device=None):
    n_keys = n_keys or n_queries
    i = torch.arange(n_keys - n_queries, n_keys, device=device)
    j = torch.arange(n_keys, device=device)
    return j[None] > i[:, None]


def padding_mask(lengths, n_keys):
    j = torch.arange(n_keys, device=lengths.device)
    return (lengths[:, None] <= j[None])[:, None, :]


def masked_softmax(scores, mask=None):
    if mask is None:
        mask = torch.zeros_like(scores, dtype=torch.bool)
    w = scores.masked_fill(mask, NEG).softmax(-1)
    return w.masked_fill(mask, 0)


def masked_attention(Q, K, V, mask=None):
    w = masked_softmax(Q @ K.transpose(-1, -2) / Q.size(-1) ** 0.5, mask)
    return w @ V, w


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    B, T, _ = x.shape
    m = torch.zeros(B, T, T, dtype=torch.bool, device=x.device)
    if causal:
        m |= causal_mask(T, device=x.device)
    if lengths is not None:
        m |= padding_mask(lengths, T)
    return masked_attention(x @ W_Q, x @ W_K, x @ W_V, m)
