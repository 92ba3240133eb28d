# mistakes: mask-multiplied-into-scores, output-and-weights-swapped, mask-causal-reversed-triangle
import torch
from torch import Tensor


def causal_mask(n_queries, n_keys=None, device=None):
    if n_keys is None:
        n_keys = n_queries
    return ~torch.ones(n_queries, n_keys, dtype=torch.bool, device=device).tril(n_keys - n_queries)


def padding_mask(lengths, n_keys):
    return torch.stack([torch.arange(n_keys, device=lengths.device)] * len(lengths))[:, None] >= lengths[:, None, None] if len(lengths) else torch.zeros(0, 1, n_keys, dtype=torch.bool)


def masked_softmax(scores, mask=None):
    if mask is None:
        return scores.softmax(-1)
    keep = (~mask).to(scores.dtype)
    return (scores * keep).softmax(-1) * keep


def _weights(q, k, hidden):
    s = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
    if hidden is None:
        return s.softmax(-1)
    return s.masked_fill(hidden, torch.finfo(s.dtype).min).softmax(-1).masked_fill(hidden, 0)


def masked_attention(Q, K, V, mask=None):
    weights = _weights(Q, K, mask)
    return weights, weights @ V


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    T = x.shape[1]
    hidden = torch.zeros(T, T, dtype=torch.bool, device=x.device)
    if causal:
        hidden = hidden | causal_mask(T, device=x.device).T
    if lengths is not None:
        hidden = hidden | padding_mask(lengths, T)
    w = _weights(x @ W_Q, x @ W_K, hidden)
    return w @ (x @ W_V), w
