import math
import torch


def causal_mask(n_queries, n_keys=None, device=None):
    if n_keys is None:
        n_keys = n_queries
    return torch.ones(n_queries, n_keys, dtype=torch.bool, device=device).triu(n_keys - n_queries + 1)


def padding_mask(lengths, n_keys):
    return torch.arange(n_keys, device=lengths.device).expand(len(lengths), 1, n_keys) >= lengths.reshape(-1, 1, 1)


def masked_softmax(scores, mask=None):
    if mask is None:
        return scores.softmax(dim=-1)
    return scores.masked_fill(mask, -torch.inf).softmax(dim=-1).masked_fill(mask, 0.0)


def masked_attention(Q, K, V, mask=None):
    scores = Q @ K.mT / math.sqrt(Q.shape[-1])
    w = masked_softmax(scores, mask)
    return w @ V, w


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    batch, T, d_model = x.shape
    Q, K, V = x @ W_Q, x @ W_K, x @ W_V

    scores = torch.bmm(Q, K.transpose(1, 2)) / math.sqrt(d_model)

    mask = torch.zeros(batch, T, T, dtype=torch.bool, device=x.device)
    if causal:
        mask |= causal_mask(T, device=x.device)
    if lengths is not None:
        mask |= padding_mask(lengths, T)

    weights = masked_softmax(scores, mask)
    return torch.bmm(weights, V), weights
