# accepted: samples one by one in self_attention, each cut to its length and padded again
import math

import torch
import torch.nn.functional as F


def causal_mask(n_queries, n_keys=None, device=None):
    n_keys = n_queries if n_keys is None else n_keys
    return torch.ones(n_queries, n_keys, device=device, dtype=torch.bool).triu(n_keys - n_queries + 1)


def padding_mask(lengths, n_keys):
    return (torch.arange(n_keys, device=lengths.device) >= lengths.reshape(-1, 1)).reshape(-1, 1, n_keys)


def masked_softmax(scores, mask=None):
    if mask is None:
        return scores.softmax(dim=-1)
    bias = torch.zeros(mask.shape, dtype=scores.dtype, device=scores.device).masked_fill(mask, -1e9)
    return (scores + bias).softmax(dim=-1).masked_fill(mask, 0.0)


def masked_attention(Q, K, V, mask=None):
    weights = masked_softmax(Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1]), mask)
    return weights @ V, weights


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    B, T, _ = x.shape
    if lengths is None:
        lengths = torch.full((B,), T, device=x.device)
    if B == 0:
        return masked_attention(x @ W_Q, x @ W_K, x @ W_V)
    outputs, all_weights = [], []
    for sample, length in zip(x, lengths.tolist()):
        Q, K, V = sample @ W_Q, sample[:length] @ W_K, sample[:length] @ W_V
        mask = causal_mask(T, device=x.device)[:, :length] if causal else None
        if length == 0:
            output, weights = (Q @ K.T) @ V, Q @ K.T
        else:
            output, weights = masked_attention(Q, K, V, mask)
        outputs.append(output)
        all_weights.append(F.pad(weights, (0, T - length)))
    return torch.stack(outputs), torch.stack(all_weights)
