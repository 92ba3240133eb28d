import torch
import torch.nn.functional as F


def causal_mask(n_queries, n_keys=None, device=None):
    """True where the key lies in the future."""
    if n_keys is None:
        n_keys = n_queries
    first = n_keys - n_queries
    return torch.full((n_queries, n_keys), True, device=device).triu(first + 1)


def padding_mask(lengths, n_keys):
    """True from the end of each sentence on."""
    return (torch.arange(n_keys, device=lengths.device) >= lengths[:, None])[:, None, :]


def masked_softmax(scores, mask=None):
    """Weights over the keys. Ряд без ключей -> нули."""
    if mask is None:
        return F.softmax(scores, dim=-1)
    weights = F.softmax(scores.masked_fill(mask, float("-inf")), dim=-1)
    return torch.nan_to_num(weights, nan=0.0)


def masked_attention(Q, K, V, mask=None):
    """softmax(QK^T / √d_k) V"""
    scores = Q @ K.transpose(-2, -1)
    scores = scores / Q.shape[-1] ** 0.5
    weights = masked_softmax(scores, mask)
    return weights @ V, weights


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    """Attention of a batch of sentences over themselves."""
    T = x.shape[1]
    mask = None
    if causal and lengths is not None:
        mask = causal_mask(T, device=x.device) | padding_mask(lengths, T)
    elif causal:
        mask = causal_mask(T, device=x.device)
    elif lengths is not None:
        mask = padding_mask(lengths, T)
    return masked_attention(x @ W_Q, x @ W_K, x @ W_V, mask)
