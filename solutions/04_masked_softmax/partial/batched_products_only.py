# may lose: test_attention_with_any_leading_axes, test_sizes_that_coincide_change_nothing, test_queries_keys_and_values_may_lie_in_any_order_in_memory, test_batch_and_heads_may_stand_in_front
import math

import torch


def causal_mask(n_queries, n_keys=None, device=None):
    if n_keys is None:
        n_keys = n_queries
    return torch.triu(torch.ones(n_queries, n_keys, device=device), diagonal=n_keys - n_queries + 1).bool()


def padding_mask(lengths, n_keys):
    mask = torch.zeros(lengths.shape[0], 1, n_keys, dtype=torch.bool, device=lengths.device)
    for b in range(lengths.shape[0]):
        mask[b, :, int(lengths[b]):] = True
    return mask


def masked_softmax(scores, mask=None):
    if mask is None:
        return torch.softmax(scores, dim=-1)
    weights = torch.softmax(scores.masked_fill(mask, -1e9), dim=-1)
    return weights.masked_fill(mask, 0.0)


def masked_attention(Q, K, V, mask=None):
    scores = torch.bmm(Q, K.permute(0, 2, 1)) / math.sqrt(Q.shape[2])
    weights = masked_softmax(scores, mask)
    return torch.bmm(weights, V), weights


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    B, T, _ = x.shape
    hidden = torch.zeros(B, T, T, dtype=torch.bool, device=x.device)
    if causal:
        hidden = torch.logical_or(hidden, causal_mask(T, device=x.device))
    if lengths is not None:
        hidden = torch.logical_or(hidden, padding_mask(lengths, T))
    output, weights = masked_attention(torch.matmul(x, W_Q), torch.matmul(x, W_K), torch.matmul(x, W_V), hidden)
    return output, weights
