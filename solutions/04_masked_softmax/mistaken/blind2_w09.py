# mistakes: mask-causal-hides-self, mask-padding-shows-first-pad
import torch
from torch import Tensor


def causal_mask(n_queries, n_keys=None, device=None):
    i = torch.arange(n_queries, device=device)[:, None]
    if n_keys is None or n_keys == n_queries:
        return torch.arange(n_queries, device=device)[None, :] > i
    offset = n_keys - n_queries
    return torch.arange(n_keys, device=device)[None, :] >= i + offset


def padding_mask(lengths, n_keys):
    return (torch.arange(n_keys, device=lengths.device)[None, :] > lengths[:, None])[:, None, :]


def masked_softmax(scores, mask=None):
    if mask is None:
        return scores.softmax(-1)
    none_left = mask.all(-1, keepdim=True)
    filled = scores.masked_fill(mask & ~none_left, float("-inf"))
    return filled.softmax(-1).masked_fill(mask, 0.0)


def masked_attention(Q, K, V, mask=None):
    scores = Q @ K.transpose(-1, -2)
    scores = scores / (Q.shape[-1] ** 0.5)
    attn = masked_softmax(scores, mask)
    return attn @ V, attn


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    T = x.shape[1]
    blocked = torch.zeros(1, T, T, dtype=torch.bool, device=x.device)
    if causal:
        blocked = blocked | torch.ones(T, T, device=x.device).triu(1).bool()
    if lengths is not None:
        blocked = blocked | (torch.arange(T, device=x.device) >= lengths[:, None, None])
    return masked_attention(x @ W_Q, x @ W_K, x @ W_V, blocked)
