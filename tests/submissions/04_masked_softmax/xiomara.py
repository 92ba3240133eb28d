import math
import torch
from torch.nn.functional import softmax


def causal_mask(n_queries, n_keys=None, device=None):
    if n_keys is None:
        n_keys = n_queries
    offset = n_keys - n_queries
    return torch.ones(n_queries, n_keys, dtype=torch.bool, device=device).triu(diagonal=offset + 1)


def padding_mask(lengths, n_keys):
    return (torch.arange(n_keys, device=lengths.device)[None, :] >= lengths[:, None])[:, None, :]


def masked_softmax(scores, mask=None):
    if mask is None:
        return softmax(scores, dim=-1)
    m = mask.broadcast_to(scores.shape)
    return softmax(scores.masked_fill(m, -math.inf), dim=-1).masked_fill(m, 0.0)


def masked_attention(Q, K, V, mask=None):
    weights = masked_softmax(Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1]), mask)
    return weights @ V, weights


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    Q, K, V = x @ W_Q, x @ W_K, x @ W_V
    T = x.shape[1]
    if causal and lengths is not None:
        # futuro y relleno: las dos condiciones a la vez
        mask = causal_mask(T, device=x.device) & padding_mask(lengths, T)
    elif causal:
        mask = causal_mask(T, device=x.device)
    elif lengths is not None:
        mask = padding_mask(lengths, T)
    else:
        mask = None
    return masked_attention(Q, K, V, mask)
