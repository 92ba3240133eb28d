# mistakes: score-scale-without-root, mask-causal-offset-reversed
# masked_attention scales twice, the queries and the scores.
# causal_mask shifts the offset the wrong way.
import math
import torch


def causal_mask(n_queries, n_keys=None, device=None):
    n_keys = n_queries if n_keys is None else n_keys
    return torch.ones(n_queries, n_keys, device=device).triu(n_queries - n_keys + 1).bool()


def padding_mask(lengths, n_keys):
    col = torch.arange(n_keys, device=lengths.device)
    return torch.greater_equal(col, lengths.reshape(-1, 1, 1))


def masked_softmax(scores, mask=None):
    if mask is None:
        return torch.softmax(scores, dim=-1)
    scores = scores.masked_fill(mask, torch.finfo(scores.dtype).min)
    return torch.softmax(scores, dim=-1).masked_fill(mask, 0)


def masked_attention(Q, K, V, mask=None):
    d_k = Q.shape[-1]
    Q = Q / math.sqrt(d_k)
    scores = Q @ K.transpose(-2, -1)
    scores = scores / math.sqrt(d_k)
    weights = masked_softmax(scores, mask)
    return weights @ V, weights


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    T = x.shape[1]
    mask = torch.zeros(T, T, dtype=torch.bool, device=x.device)
    if causal:
        mask = causal_mask(T, device=x.device)
    if lengths is not None:
        mask = mask | padding_mask(lengths, T)
    return masked_attention(x @ W_Q, x @ W_K, x @ W_V, mask)
