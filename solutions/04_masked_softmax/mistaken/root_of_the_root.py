# mistakes: score-scale-fourth-root
import math

import torch


def causal_mask(n_queries, n_keys=None, device=None):
    n_keys = n_queries if n_keys is None else n_keys
    seen = torch.ones(n_queries, n_keys, device=device).tril(diagonal=n_keys - n_queries)
    return seen == 0


def padding_mask(lengths, n_keys):
    hidden = torch.zeros(lengths.shape[0], 1, n_keys, dtype=torch.bool, device=lengths.device)
    for b, length in enumerate(lengths.tolist()):
        hidden[b, 0, length:] = True
    return hidden


def masked_softmax(scores, mask=None):
    if mask is not None:
        scores = scores.masked_fill(mask, torch.finfo(scores.dtype).min)
    e = (scores - scores.max(dim=-1, keepdim=True).values).exp()
    if mask is not None:
        e = e.masked_fill(mask, 0.0)
    total = e.sum(-1, keepdim=True)
    return e / torch.where(total > 0, total, torch.ones_like(total))


def masked_attention(Q, K, V, mask=None):
    scale = math.sqrt(math.sqrt(K.shape[-1]))
    weights = masked_softmax(torch.einsum("...id,...jd->...ij", Q / scale, K), mask)
    return torch.einsum("...ij,...jd->...id", weights, V), weights


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    T = x.size(1)
    mask = None
    if causal:
        mask = causal_mask(T, device=x.device)
    if lengths is not None:
        pads = padding_mask(lengths, T)
        mask = pads if mask is None else mask | pads
    return masked_attention(x @ W_Q, x @ W_K, x @ W_V, mask)
