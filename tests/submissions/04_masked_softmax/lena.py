import math
import torch


def causal_mask(n_queries, n_keys=None, device=None):
    if n_keys is None:
        n_keys = n_queries
    # lower triangle = everything before the token; the token itself stays visible
    ones = torch.ones(n_queries, n_keys, dtype=torch.bool, device=device)
    return torch.tril(ones, diagonal=n_keys - n_queries - 1)


def padding_mask(lengths, n_keys):
    steps = torch.arange(n_keys, device=lengths.device)
    return (steps[None] >= lengths[:, None]).unsqueeze(1)


def masked_softmax(scores, mask=None):
    if mask is None:
        return torch.softmax(scores, dim=-1)
    weights = torch.softmax(scores.masked_fill(mask, -math.inf), dim=-1)
    return weights.masked_fill(mask, 0)  # rows without any key would be nan


def masked_attention(Q, K, V, mask=None):
    scores = torch.matmul(Q, K.transpose(-2, -1)) / math.sqrt(Q.shape[-1])
    weights = masked_softmax(scores, mask)
    output = torch.matmul(weights, V)
    return output, weights


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    Q = x @ W_Q
    K = x @ W_K
    V = x @ W_V
    n = x.shape[1]
    mask = None
    if causal:
        mask = causal_mask(n, device=x.device)
    if lengths is not None:
        pad = padding_mask(lengths, n)
        mask = pad if mask is None else (mask | pad)
    return masked_attention(Q, K, V, mask)
