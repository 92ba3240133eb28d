# mistakes: score-scale-inverted
import torch
import torch.nn.functional as F


def causal_mask(n_queries, n_keys=None, device=None):
    if n_keys is None:
        n_keys = n_queries
    mask = torch.zeros(n_queries, n_keys, dtype=torch.bool, device=device)
    for i in range(n_queries):
        for j in range(n_keys):
            mask[i, j] = j > i + n_keys - n_queries
    return mask


def padding_mask(lengths, n_keys):
    mask = torch.zeros(lengths.shape[0], 1, n_keys, dtype=torch.bool, device=lengths.device)
    for b in range(lengths.shape[0]):
        mask[b, :, int(lengths[b]):] = True
    return mask


def masked_softmax(scores, mask=None):
    if mask is not None:
        scores = scores.masked_fill(mask, float("-inf"))
    return torch.nan_to_num(F.softmax(scores, dim=-1))


def masked_attention(Q, K, V, mask=None):
    scale = Q.shape[-1] ** -0.5
    scores = torch.matmul(Q, K.transpose(-2, -1)) / scale
    p = masked_softmax(scores, mask)
    return torch.matmul(p, V), p


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    q, k, v = x @ W_Q, x @ W_K, x @ W_V
    n = x.size(1)
    mask = causal_mask(n, n, x.device) if causal else None
    if lengths is not None:
        pad = padding_mask(lengths, n)
        mask = pad if mask is None else mask | pad
    return masked_attention(q, k, v, mask)
