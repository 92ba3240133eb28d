# accepted: powers of two in place of exp, mask before the scale
import math

import torch

LOG2E = 1 / math.log(2)


def causal_mask(n_queries, n_keys=None, device=None):
    n_keys = n_queries if n_keys is None else n_keys
    steps = torch.arange(n_keys, device=device) - torch.arange(n_queries, device=device).view(-1, 1)
    return steps >= n_keys - n_queries + 1


def padding_mask(lengths, n_keys):
    return (lengths.view(-1, 1, 1) - torch.arange(n_keys, device=lengths.device)) <= 0


def masked_softmax(scores, mask=None):
    hidden = torch.zeros_like(scores).bool() if mask is None else mask
    s = scores * LOG2E
    s = s.masked_fill(hidden, -math.inf)
    m = s.max(-1, keepdim=True)[0].clamp(min=torch.finfo(s.dtype).min)
    p = torch.exp2(s - m)
    return p / p.sum(-1, keepdim=True).clamp(min=1.0)


def masked_attention(Q, K, V, mask=None):
    scores = Q @ K.transpose(-2, -1)
    if mask is not None:
        scores = scores.masked_fill(mask, -1e9)
    scores = scores / math.sqrt(Q.shape[-1])
    weights = masked_softmax(scores, mask)
    return weights @ V, weights


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    T = x.shape[1]
    hidden = torch.arange(T, device=x.device) < 0
    if causal:
        hidden = hidden | causal_mask(T, device=x.device)
    if lengths is not None:
        hidden = hidden | padding_mask(lengths, T)
    return masked_attention(x @ W_Q, x @ W_K, x @ W_V, hidden)
