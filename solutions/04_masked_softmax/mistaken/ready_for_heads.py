# mistakes: mask-head-axis-inserted
import math

import torch


def causal_mask(n_queries, n_keys=None, device=None):
    n_keys = n_queries if n_keys is None else n_keys
    seen = torch.ones(n_queries, n_keys, device=device).tril(diagonal=n_keys - n_queries)
    return seen == 0


def padding_mask(lengths, n_keys):
    ids = torch.arange(n_keys, device=lengths.device)
    return ~(ids < lengths.unsqueeze(1)).unsqueeze(1)


def masked_softmax(scores, mask=None):
    if mask is None:
        return torch.softmax(scores, dim=-1)
    mask = mask[:, None]  # (B, 1, n_q, n_k)
    s = scores.masked_fill(mask, float("-inf"))
    s = s.masked_fill(mask.all(dim=-1, keepdim=True), 0.0)
    return torch.softmax(s, dim=-1).masked_fill(mask, 0.0)


def masked_attention(Q, K, V, mask=None):
    scores = torch.einsum("...qd,...kd->...qk", Q, K) / math.sqrt(Q.size(-1))
    A = masked_softmax(scores, mask)
    return torch.einsum("...qk,...kv->...qv", A, V), A


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    T = x.size(1)
    mask = None
    if causal:
        mask = causal_mask(T, device=x.device)
    if lengths is not None:
        pads = padding_mask(lengths, T)
        mask = pads if mask is None else mask | pads
    return masked_attention(x @ W_Q, x @ W_K, x @ W_V, mask)
