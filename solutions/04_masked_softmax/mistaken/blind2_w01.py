# mistakes: argument-changed-in-place
import math
import torch
from torch import Tensor


def causal_mask(n_queries, n_keys=None, device=None):
    if n_keys is None:
        n_keys = n_queries
    ones = torch.ones(n_queries, n_keys, dtype=torch.bool, device=device)
    return torch.triu(ones, diagonal=1 + n_keys - n_queries)


def padding_mask(lengths, n_keys):
    keys = torch.arange(n_keys, device=lengths.device)
    return keys.view(1, 1, -1) >= lengths.view(-1, 1, 1)


def masked_softmax(scores, mask=None):
    if mask is None:
        return torch.softmax(scores, -1)
    mask = mask.expand(scores.shape)
    empty = mask.all(dim=-1, keepdim=True)
    scores.masked_fill_(mask, float("-inf"))
    safe = torch.where(empty, torch.zeros_like(scores), scores)
    return torch.softmax(safe, -1) * (~mask)


def masked_attention(Q, K, V, mask=None):
    s = torch.einsum("...qd,...kd->...qk", Q, K) / math.sqrt(Q.shape[-1])
    w = masked_softmax(s, mask)
    return torch.einsum("...qk,...kv->...qv", w, V), w


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    T = x.shape[1]
    hide = torch.zeros(T, T, dtype=torch.bool, device=x.device)
    if causal:
        hide = hide | causal_mask(T, device=x.device)
    if lengths is not None:
        hide = hide | padding_mask(lengths, T)
    return masked_attention(x @ W_Q, x @ W_K, x @ W_V, hide)
