# mistakes: mask-empty-row-empties-all
import torch


def causal_mask(n_queries, n_keys=None, device=None):
    n_keys = n_keys or n_queries
    everything = torch.ones(n_queries, n_keys, dtype=torch.bool, device=device)
    return everything.triu(1 + n_keys - n_queries)


def padding_mask(lengths, n_keys):
    hidden = torch.zeros(lengths.shape[0], 1, n_keys, dtype=torch.bool, device=lengths.device)
    for b, length in enumerate(lengths.tolist()):
        hidden[b, 0, length:] = True
    return hidden


def masked_softmax(scores, mask=None):
    hidden = torch.zeros_like(scores, dtype=torch.bool) if mask is None else mask.expand_as(scores)
    visible_keys = (~hidden).sum(dim=-1)
    if (visible_keys == 0).any():
        return scores * 0.0
    e = torch.exp(scores.masked_fill(hidden, float("-inf")) - scores.masked_fill(hidden, float("-inf")).amax(-1, True))
    return e / e.sum(-1, keepdim=True)


def masked_attention(Q, K, V, mask=None):
    d_k = K.shape[-1]
    weights = masked_softmax((Q * d_k**-0.5) @ K.mT, mask)
    return weights @ V, weights


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    T = x.size(1)
    mask = None
    if causal:
        mask = causal_mask(T, device=x.device)
    if lengths is not None:
        pads = padding_mask(lengths, T)
        mask = pads if mask is None else mask | pads
    return masked_attention(x @ W_Q, x @ W_K, x @ W_V, mask)
