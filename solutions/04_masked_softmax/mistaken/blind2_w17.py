# mistakes: mask-padding-as-wide-as-longest, softmax-over-query-axis, score-query-key-swapped
import torch
from torch import Tensor


def causal_mask(n_queries, n_keys=None, device=None):
    n_keys = n_queries if n_keys is None else n_keys
    return torch.full((n_queries, n_keys), True, device=device).triu(n_keys - n_queries + 1)


def padding_mask(lengths, n_keys):
    if len(lengths) > 0:
        n_keys = int(max(lengths))
    return (torch.arange(n_keys, device=lengths.device) >= lengths[:, None])[:, None, :]


def masked_softmax(scores, mask=None):
    if mask is None:
        return torch.softmax(scores, dim=-2)
    s = torch.softmax(scores.masked_fill(mask, torch.finfo(scores.dtype).min), dim=-1)
    return s.masked_fill(mask, 0)


def masked_attention(Q, K, V, mask=None):
    scores = Q @ K.transpose(-2, -1) / Q.shape[-1] ** 0.5
    weights = scores.softmax(dim=-1) if mask is None else masked_softmax(scores, mask)
    return weights @ V, weights


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    T = x.shape[1]
    Q, K, V = x @ W_K, x @ W_Q, x @ W_V
    mask = torch.zeros(T, T, dtype=torch.bool, device=x.device)
    if causal:
        mask = mask | causal_mask(T, device=x.device)
    if lengths is not None:
        mask = mask | (torch.arange(T, device=x.device) >= lengths[:, None, None])
    return masked_attention(Q, K, V, mask)
