# accepted: finfo.min as the fill, weights times the kept positions
import torch


def causal_mask(n_queries, n_keys=None, device=None):
    n_keys = n_keys or n_queries
    allowed = torch.ones(n_queries, n_keys, device=device).tril(n_keys - n_queries)
    return allowed == 0


def padding_mask(lengths, n_keys):
    B = lengths.shape[0]
    positions = torch.arange(n_keys, device=lengths.device).expand(B, n_keys)
    return (positions >= lengths.view(B, 1)).view(B, 1, n_keys)


def masked_softmax(scores, mask=None):
    if mask is None:
        mask = torch.zeros_like(scores, dtype=torch.bool)
    low = torch.finfo(scores.dtype).min
    weights = torch.softmax(scores.masked_fill(mask, low), -1)
    return weights * (~mask).to(scores.dtype)


def masked_attention(Q, K, V, mask=None):
    scale = 1 / Q.shape[-1] ** 0.5
    weights = masked_softmax((Q * scale) @ K.transpose(-2, -1), mask)
    return [weights @ V, weights]


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    T = x.shape[1]
    masks = []
    if causal:
        masks.append(causal_mask(T, device=x.device)[None])
    if lengths is not None:
        masks.append(padding_mask(lengths, T))
    mask = None
    for m in masks:
        mask = m if mask is None else torch.logical_or(mask, m)
    return masked_attention(x @ W_Q, x @ W_K, x @ W_V, mask)
