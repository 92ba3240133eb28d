# mistakes: proj-activation-on-qkv
import math

import torch
import torch.nn.functional as F


def causal_mask(n_queries, n_keys=None, device=None):
    total = n_queries if n_keys is None else n_keys
    columns = torch.arange(total, device=device).unsqueeze(0)
    rows = torch.arange(total - n_queries, total, device=device).unsqueeze(1)
    return torch.lt(rows, columns)


def padding_mask(lengths, n_keys):
    ids = torch.arange(n_keys, device=lengths.device)
    return ~(ids < lengths.unsqueeze(1)).unsqueeze(1)


def masked_softmax(scores, mask=None):
    if mask is None:
        return scores.softmax(-1)
    s = torch.where(mask, torch.full_like(scores, -1e9), scores)
    return torch.where(mask, torch.zeros_like(scores), s.softmax(-1))


def masked_attention(Q, K, V, mask=None):
    scores = torch.einsum("...qd,...kd->...qk", Q, K) / math.sqrt(Q.size(-1))
    A = masked_softmax(scores, mask)
    return torch.einsum("...qk,...kv->...qv", A, V), A


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    def layer(W):
        return F.relu(x @ W)

    n = x.shape[1]
    mask = causal_mask(n, device=x.device) if causal else torch.zeros(n, n, dtype=torch.bool, device=x.device)
    if lengths is not None:
        mask = mask | padding_mask(lengths, n)
    return masked_attention(layer(W_Q), layer(W_K), layer(W_V), mask)
