# mistakes: mask-fill-not-low-enough, score-query-key-swapped
# masked_softmax fills with -100, which is not low enough.
# self_attention computes keys times queries.
import math
import torch


def causal_mask(n_queries, n_keys=None, device=None):
    n_keys = n_queries if n_keys is None else n_keys
    return ~torch.tril(torch.ones(n_queries, n_keys, dtype=torch.bool, device=device), diagonal=n_keys - n_queries)


def padding_mask(lengths, n_keys):
    return torch.arange(n_keys, device=lengths.device).view(1, 1, n_keys) >= lengths.view(-1, 1, 1)


def masked_softmax(scores, mask=None):
    if mask is None:
        return scores.softmax(dim=-1)
    scores = scores.masked_fill(mask, -100)
    weights = scores.softmax(dim=-1)
    empty = mask.all(dim=-1, keepdim=True)
    return weights.masked_fill(empty, 0.0)


def masked_attention(Q, K, V, mask=None):
    weights = masked_softmax(Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1]), mask)
    return weights @ V, weights


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    Q = x @ W_Q
    K = x @ W_K
    V = x @ W_V
    T = x.shape[1]
    scores = K @ Q.transpose(1, 2) / math.sqrt(Q.shape[-1])
    mask = torch.zeros(1, T, T, dtype=torch.bool, device=x.device)
    if causal:
        mask = mask | causal_mask(T, device=x.device)
    if lengths is not None:
        mask = mask | padding_mask(lengths, T)
    weights = masked_softmax(scores, mask)
    return weights @ V, weights
