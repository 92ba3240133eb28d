# may lose: test_weights_keep_the_dtype_of_the_scores, test_attention_keeps_the_dtype, test_self_attention_keeps_the_dtype
import math

import torch


def causal_mask(n_queries, n_keys=None, device=None):
    n_keys = n_queries if n_keys is None else n_keys
    return torch.ones(n_queries, n_keys, dtype=torch.bool, device=device).triu(n_keys - n_queries + 1)


def padding_mask(lengths, n_keys):
    return (torch.arange(n_keys, device=lengths.device) >= lengths[:, None]).unsqueeze(1)


def masked_softmax(scores, mask=None):
    weights = torch.softmax(scores.double() if mask is None else scores.double().masked_fill(mask, -1e30), dim=-1)
    return weights if mask is None else weights.masked_fill(mask, 0.0)


def masked_attention(Q, K, V, mask=None):
    weights = masked_softmax(Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1]), mask)
    return weights @ V.double(), weights


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    T = x.shape[1]
    mask = torch.zeros(T, T, dtype=torch.bool, device=x.device)
    if causal:
        mask = causal_mask(T, device=x.device)
    if lengths is not None:
        mask = mask | padding_mask(lengths, T)
    return masked_attention(x @ W_Q, x @ W_K, x @ W_V, mask)
