# mistakes: mask-length-from-wrong-axis
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
    if mask is not None:
        scores = scores.masked_fill(mask, torch.finfo(scores.dtype).min)
    e = (scores - scores.max(dim=-1, keepdim=True).values).exp()
    if mask is not None:
        e = e.masked_fill(mask, 0.0)
    total = e.sum(-1, keepdim=True)
    return e / torch.where(total > 0, total, torch.ones_like(total))


def masked_attention(Q, K, V, mask=None):
    d_k = K.shape[-1]
    weights = masked_softmax((Q * d_k**-0.5) @ K.mT, mask)
    return weights @ V, weights


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    T = len(x)
    mask = torch.zeros(T, T, dtype=torch.bool, device=x.device)
    if causal:
        mask = mask | causal_mask(T, device=x.device)
    if lengths is not None:
        mask = mask | padding_mask(lengths, T)
    return masked_attention(x @ W_Q, x @ W_K, x @ W_V, mask)
