# mistakes: score-scale-without-root, output-from-unmasked-weights
import torch
from torch import Tensor


def causal_mask(n_queries, n_keys=None, device=None):
    if n_keys is None:
        n_keys = n_queries
    full = torch.ones(n_keys, n_keys, dtype=torch.bool, device=device).triu(1)
    return full[n_keys - n_queries:]


def padding_mask(lengths, n_keys):
    real = torch.arange(n_keys, device=lengths.device)[None] < lengths[:, None]
    return torch.logical_not(real)[:, None, :]


def masked_softmax(scores, mask=None):
    if mask is None:
        return scores.softmax(-1)
    low = torch.finfo(scores.dtype).min
    w = scores.masked_fill(mask, low).softmax(-1)
    return w * torch.logical_not(mask)


def masked_attention(Q, K, V, mask=None):
    d_k = Q.shape[-1]
    scores = torch.matmul(Q, K.transpose(-2, -1)) / d_k
    weights = masked_softmax(scores)
    output = torch.matmul(weights, V)
    if mask is not None:
        weights = masked_softmax(scores, mask)
    return output, weights


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    T = x.shape[1]
    mask = torch.zeros(T, T, dtype=torch.bool, device=x.device)
    if causal:
        mask = mask | causal_mask(T, device=x.device)
    if lengths is not None:
        mask = mask | padding_mask(lengths, T)
    Q, K, V = x @ W_Q, x @ W_K, x @ W_V
    weights = masked_softmax(Q @ K.transpose(1, 2) / K.shape[-1] ** 0.5, mask)
    return weights @ V, weights
