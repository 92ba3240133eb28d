# mistakes: output-mixes-keys
import math

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
    w = masked_softmax(torch.einsum("...id,...jd->...ij", Q, K) / math.sqrt(Q.size(-1)), mask)
    return torch.einsum("...ij,...jd->...id", w, K), w


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    B, T, _ = x.shape
    hidden = torch.zeros(B, T, T, dtype=torch.bool, device=x.device)
    if causal:
        hidden = torch.logical_or(hidden, causal_mask(T, device=x.device))
    if lengths is not None:
        hidden = torch.logical_or(hidden, padding_mask(lengths, T))
    output, weights = masked_attention(torch.matmul(x, W_Q), torch.matmul(x, W_K), torch.matmul(x, W_V), hidden)
    return output, weights
