# causal_mask remembers the mask by n_queries alone and returns a stale one for another n_keys.
import math
import torch

_masks = {}


def causal_mask(n_queries, n_keys=None, device=None):
    n_keys = n_queries if n_keys is None else n_keys
    if n_queries not in _masks:
        full = torch.ones(n_queries, n_keys, dtype=torch.bool)
        _masks[n_queries] = full.triu(n_keys - n_queries + 1)
    cached = _masks[n_queries]
    return cached if device is None else cached.to(device)


def padding_mask(lengths, n_keys):
    k = torch.arange(n_keys, device=lengths.device)
    return k.reshape(1, 1, -1) >= lengths.reshape(-1, 1, 1)


def masked_softmax(scores, mask=None):
    if mask is None:
        return torch.softmax(scores, -1)
    return torch.softmax(scores.masked_fill(mask, -1e9), -1).masked_fill(mask, 0)


def masked_attention(Q, K, V, mask=None):
    weights = masked_softmax(Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1]), mask)
    return weights @ V, weights


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    T = x.shape[1]
    mask = torch.zeros(T, T, dtype=torch.bool, device=x.device)
    if causal:
        mask = mask | torch.ones(T, T, dtype=torch.bool, device=x.device).triu(1)
    if lengths is not None:
        mask = mask | padding_mask(lengths, T)
    return masked_attention(x @ W_Q, x @ W_K, x @ W_V, mask)
