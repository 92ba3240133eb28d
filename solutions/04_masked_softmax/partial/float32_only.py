# may lose: test_weights_keep_the_dtype_of_the_scores, test_attention_keeps_the_dtype, test_self_attention_keeps_the_dtype
import math

import torch


def causal_mask(n_queries, n_keys=None, device=None):
    if n_keys is None:
        n_keys = n_queries
    mask = torch.zeros(n_queries, n_keys, dtype=torch.bool, device=device)
    for i in range(n_queries):
        for j in range(n_keys):
            mask[i, j] = j > i + n_keys - n_queries
    return mask


def padding_mask(lengths, n_keys):
    valid = torch.arange(n_keys, device=lengths.device) < lengths.unsqueeze(1)
    return ~valid[:, None, :]


def masked_softmax(scores, mask=None):
    scores = scores.to(torch.float32)
    if mask is None:
        return torch.softmax(scores, dim=-1)
    return torch.softmax(scores.masked_fill(mask, -1e9), dim=-1) * ~mask


def masked_attention(Q, K, V, mask=None):
    Q, K, V = Q.float(), K.float(), V.float()
    weights = masked_softmax(Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1]), mask)
    return weights @ V, weights


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    T = x.shape[1]
    mask = torch.zeros(T, T, dtype=torch.bool, device=x.device)
    if causal:
        mask = mask | causal_mask(T, device=x.device)
    if lengths is not None:
        mask = mask | padding_mask(lengths, T)
    return masked_attention(x @ W_Q, x @ W_K, x @ W_V, mask)
