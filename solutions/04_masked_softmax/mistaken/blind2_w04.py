# mistakes: softmax-global-max
import torch
from torch import Tensor


def causal_mask(n_queries, n_keys=None, device=None):
    if n_keys is None:
        n_keys = n_queries
    M = torch.zeros((n_queries, n_keys), dtype=torch.bool, device=device)
    for i in range(n_queries):
        M[i, i + n_keys - n_queries + 1 :] = True
    return M


def padding_mask(lengths, n_keys):
    M = torch.zeros((len(lengths), 1, n_keys), dtype=torch.bool, device=lengths.device)
    for b, length in enumerate(lengths.tolist()):
        M[b, 0, length:] = True
    return M


def masked_softmax(scores, mask=None):
    if mask is None:
        mask = torch.zeros(scores.shape, dtype=torch.bool, device=scores.device)
    if scores.numel() == 0:
        return scores.clone()
    s = scores.masked_fill(mask, float("-inf"))
    biggest = scores.masked_fill(mask, torch.finfo(scores.dtype).min).max().detach()
    e = torch.exp(s - biggest)
    denominator = e.sum(-1, keepdim=True)
    denominator = torch.where(denominator == 0, torch.ones_like(denominator), denominator)
    return e / denominator


def masked_attention(Q, K, V, mask=None):
    d = Q.shape[-1]
    scores = (Q / d ** 0.5) @ K.transpose(-2, -1)
    weights = masked_softmax(scores, mask)
    return weights @ V, weights


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    B, T, _ = x.shape
    mask = torch.zeros(B, T, T, dtype=torch.bool, device=x.device)
    if causal:
        mask |= causal_mask(T, T, x.device)
    if lengths is not None:
        mask |= padding_mask(lengths, T)
    return masked_attention(x @ W_Q, x @ W_K, x @ W_V, mask)
