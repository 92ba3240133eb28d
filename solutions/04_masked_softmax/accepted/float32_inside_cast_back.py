# accepted: the softmax in float32 whatever the dtype, cast back
import math

import torch


def causal_mask(n_queries, n_keys=None, device=None):
    n_keys = n_keys if n_keys is not None else n_queries
    return ~torch.tril(torch.ones(n_queries, n_keys, device=device), diagonal=n_keys - n_queries).bool()


def padding_mask(lengths, n_keys):
    index = torch.arange(0, n_keys, device=lengths.device).unsqueeze(0)
    return torch.logical_not(index < lengths.unsqueeze(1)).unsqueeze(1)


def masked_softmax(scores, mask=None):
    if mask is None:
        return torch.softmax(scores, dim=-1, dtype=torch.float32).to(scores.dtype)
    filled = torch.where(mask, torch.tensor(-1e9, dtype=scores.dtype, device=scores.device), scores)
    weights = torch.softmax(filled, dim=-1, dtype=torch.float32).type_as(scores)
    return torch.where(mask, torch.zeros_like(weights), weights)


def masked_attention(Q, K, V, mask=None):
    scores = Q.matmul(K.transpose(-2, -1)).div(math.sqrt(Q.size(-1)))
    attn = masked_softmax(scores, mask=mask)
    return attn.matmul(V), attn


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    batch, n, _ = x.shape
    blocked = torch.zeros(batch, n, n, dtype=torch.bool, device=x.device)
    if causal:
        blocked = blocked | causal_mask(n, device=x.device)
    if lengths is not None:
        blocked = blocked | padding_mask(lengths, n)
    return masked_attention(x @ W_Q, x @ W_K, x @ W_V, mask=blocked)
