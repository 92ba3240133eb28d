# mistakes: mask-fully-masked-row-attends-everything
# causal_mask ignores device.
# A row with everything hidden gets uniform weights.
import math
import torch


def causal_mask(n_queries, n_keys=None, device=None):
    if n_keys is None:
        n_keys = n_queries
    return torch.triu(torch.ones(n_queries, n_keys), diagonal=n_keys - n_queries + 1).bool()


def padding_mask(lengths, n_keys):
    r = torch.arange(n_keys, device=lengths.device)
    return (r[None, :] >= lengths[:, None]).unsqueeze(1)


def masked_softmax(scores, mask=None):
    if mask is not None:
        scores = torch.where(mask, -1e9, scores)
    return torch.softmax(scores, dim=-1)


def masked_attention(Q, K, V, mask=None):
    weights = masked_softmax(Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1]), mask)
    return weights @ V, weights


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    T = x.shape[1]
    mask = torch.zeros(T, T, dtype=torch.bool, device=x.device)
    if causal:
        mask = mask | causal_mask(T).to(x.device)
    if lengths is not None:
        mask = mask | padding_mask(lengths, T)
    return masked_attention(x @ W_Q, x @ W_K, x @ W_V, mask)
