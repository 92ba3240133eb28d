import math
import torch


class Masks:
    """I keep both kinds of masks in one place."""

    @staticmethod
    def future(n_queries, n_keys, device):
        return torch.triu(torch.ones(n_queries, n_keys, dtype=torch.bool, device=device), diagonal=1)

    @staticmethod
    def padding(lengths, n_keys):
        return torch.arange(n_keys, device=lengths.device) >= lengths[:, None, None]


def causal_mask(n_queries, n_keys=None, device=None):
    return Masks.future(n_queries, n_queries if n_keys is None else n_keys, device)


def padding_mask(lengths, n_keys):
    return Masks.padding(lengths, n_keys)


def masked_softmax(scores, mask=None):
    if mask is not None:
        minus_infinity = torch.tensor(-math.inf, dtype=scores.dtype, device=scores.device)
        scores = torch.where(mask, minus_infinity, scores)
    return torch.nn.functional.softmax(scores, dim=-1)


def masked_attention(Q, K, V, mask=None):
    scores = (Q @ K.transpose(-2, -1)) / math.sqrt(K.shape[-1])
    weights = masked_softmax(scores, mask)
    return torch.matmul(weights, V), weights


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    n = x.shape[1]
    mask = None
    if causal:
        mask = causal_mask(n, n, x.device)
    if lengths is not None:
        mask = padding_mask(lengths, n) if mask is None else mask | padding_mask(lengths, n)
    return masked_attention(x @ W_Q, x @ W_K, x @ W_V, mask)
