# may lose: test_a_query_that_sees_nothing_gets_zeros, test_queries_that_see_nothing_have_finite_gradients, test_a_query_that_sees_nothing_gets_a_zero_output, test_an_empty_sequence_gets_zeros, test_a_query_that_sees_nothing_has_finite_gradients
import math

import torch
import torch.nn.functional as F


def causal_mask(n_queries, n_keys=None, device=None):
    n_keys = n_queries if n_keys is None else n_keys
    i = torch.arange(n_queries, device=device).unsqueeze(1)
    j = torch.arange(n_keys, device=device).unsqueeze(0)
    offset = n_keys - n_queries
    return j > i + offset


def padding_mask(lengths, n_keys):
    cols = torch.arange(n_keys, device=lengths.device)
    return (cols[None, :] >= lengths[:, None]).unsqueeze(1)


def masked_softmax(scores, mask=None):
    if mask is not None:
        scores = scores.masked_fill(mask, torch.finfo(scores.dtype).min)
    return F.softmax(scores, dim=-1)


def masked_attention(Q, K, V, mask=None):
    scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.size(-1))
    weights = masked_softmax(scores, mask)
    return weights @ V, weights


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    B, T, _ = x.shape
    hidden = torch.zeros(B, T, T, dtype=torch.bool, device=x.device)
    if causal:
        hidden = torch.logical_or(hidden, causal_mask(T, device=x.device))
    if lengths is not None:
        hidden = torch.logical_or(hidden, padding_mask(lengths, T))
    output, weights = masked_attention(torch.matmul(x, W_Q), torch.matmul(x, W_K), torch.matmul(x, W_V), hidden)
    return output, weights
