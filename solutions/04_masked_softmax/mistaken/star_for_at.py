# mistakes: score-elementwise-product
import torch


def causal_mask(n_queries, n_keys=None, device=None):
    n_keys = n_keys or n_queries
    everything = torch.ones(n_queries, n_keys, dtype=torch.bool, device=device)
    return everything.triu(1 + n_keys - n_queries)


def padding_mask(lengths, n_keys):
    ids = torch.arange(n_keys, device=lengths.device)
    return ~(ids < lengths.unsqueeze(1)).unsqueeze(1)


def masked_softmax(scores, mask=None):
    if mask is None:
        return scores.softmax(-1)
    s = torch.where(mask, torch.full_like(scores, -1e9), scores)
    return torch.where(mask, torch.zeros_like(scores), s.softmax(-1))


def masked_attention(Q, K, V, mask=None):
    scores = (Q * K) / Q.shape[-1] ** 0.5
    weights = masked_softmax(scores, mask)
    out = weights * V
    return out, weights


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    T = x.size(1)
    mask = None
    if causal:
        mask = causal_mask(T, device=x.device)
    if lengths is not None:
        pads = padding_mask(lengths, T)
        mask = pads if mask is None else mask | pads
    return masked_attention(x @ W_Q, x @ W_K, x @ W_V, mask)
