# mistakes: mask-fully-masked-row-nan
# masked_softmax gives zeros only where the whole mask is True.
# A single hidden row becomes NaN.
import math
import torch


def causal_mask(n_queries, n_keys=None, device=None):
    n_keys = n_queries if n_keys is None else n_keys
    i = torch.arange(n_queries, device=device)[:, None]
    j = torch.arange(n_keys, device=device)[None, :]
    return (j - (n_keys - n_queries)) > i


def padding_mask(lengths, n_keys):
    return (torch.arange(n_keys, device=lengths.device)[None] >= lengths[..., None])[:, None]


def masked_softmax(scores, mask=None):
    if mask is None:
        return torch.softmax(scores, dim=-1)
    if mask.all():
        return scores * 0
    return torch.softmax(scores.masked_fill(mask, float("-inf")), dim=-1)


def masked_attention(Q, K, V, mask=None):
    weights = masked_softmax(Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1]), mask)
    return weights @ V, weights


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    n = x.shape[1]
    mask = None
    if causal:
        mask = causal_mask(n, n, device=x.device)
    if lengths is not None:
        p = padding_mask(lengths, n)
        mask = p if mask is None else p | mask
    return masked_attention(x @ W_Q, x @ W_K, x @ W_V, mask)
