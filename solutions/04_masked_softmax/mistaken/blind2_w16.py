# mistakes: mask-causal-hides-self, softmax-no-max-subtraction, score-no-scale
import torch
from torch import Tensor


def causal_mask(n_queries, n_keys=None, device=None):
    if n_keys is None:
        n_keys = n_queries
    return torch.ones(n_queries, n_keys, device=device).triu(diagonal=n_keys - n_queries).bool()


def padding_mask(lengths, n_keys):
    cols = torch.arange(n_keys, device=lengths.device).repeat(len(lengths), 1)
    return (cols >= lengths.reshape(-1, 1)).reshape(len(lengths), 1, n_keys)


def masked_softmax(scores, mask=None):
    e = torch.exp(scores)
    if mask is not None:
        e = e.masked_fill(mask, 0)
    s = e.sum(-1, keepdim=True)
    s = s.masked_fill(s == 0, 1)
    return e / s


def safe_softmax(scores, mask):
    hidden = scores.masked_fill(mask, torch.finfo(scores.dtype).min)
    return hidden.softmax(-1).masked_fill(mask, 0)


def masked_attention(Q, K, V, mask=None):
    similarity = Q @ K.transpose(-2, -1)
    if mask is None:
        weights = similarity.softmax(-1)
    else:
        weights = safe_softmax(similarity, mask)
    return weights @ V, weights


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    T = x.shape[1]
    q, k, v = x @ W_Q, x @ W_K, x @ W_V
    future = torch.arange(T, device=x.device)[None, :] > torch.arange(T, device=x.device)[:, None]
    mask = future if causal else torch.zeros_like(future)
    if lengths is not None:
        mask = mask | padding_mask(lengths, T)
    weights = safe_softmax(q @ k.transpose(-2, -1) / k.shape[-1] ** 0.5, mask)
    return weights @ v, weights
