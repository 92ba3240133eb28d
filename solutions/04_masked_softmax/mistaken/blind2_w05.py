# mistakes: mask-padding-hides-queries-too
import math
import torch
from torch import Tensor


def causal_mask(n_queries, n_keys=None, device=None):
    n_keys = n_keys or n_queries
    return ~torch.tril(torch.ones(n_queries, n_keys, device=device), n_keys - n_queries).bool()


def padding_mask(lengths, n_keys):
    rows = [torch.arange(n_keys, device=lengths.device) >= L for L in lengths]
    if rows == []:
        return torch.zeros(0, 1, n_keys, dtype=torch.bool, device=lengths.device)
    return torch.stack(rows).unsqueeze(1)


def masked_softmax(scores, mask=None):
    if mask is None:
        return torch.softmax(scores, dim=-1)
    penalty = torch.zeros(mask.shape, dtype=scores.dtype, device=scores.device)
    penalty = penalty.masked_fill(mask & ~mask.all(-1, keepdim=True), -math.inf)
    return torch.softmax(scores + penalty, dim=-1).masked_fill(mask, 0)


def masked_attention(Q, K, V, mask=None):
    weights = masked_softmax(Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1]), mask)
    return weights @ V, weights


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    q, k, v = [x @ W for W in (W_Q, W_K, W_V)]
    n = x.shape[-2]
    if lengths is None:
        return masked_attention(q, k, v, causal_mask(n, device=x.device) if causal else None)
    pad = padding_mask(lengths, n)
    mask = pad | pad.transpose(1, 2)
    if causal:
        mask = mask | causal_mask(n, device=x.device)
    return masked_attention(q, k, v, mask)
