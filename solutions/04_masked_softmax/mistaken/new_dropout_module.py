# mistakes: dropout-active-in-eval
import torch
from torch import nn


def causal_mask(n_queries, n_keys=None, device=None):
    n_keys = n_queries if n_keys is None else n_keys
    ones = torch.ones(n_queries, n_keys, dtype=torch.bool, device=device)
    return ones.triu(n_keys - n_queries + 1)


def padding_mask(lengths, n_keys):
    return (torch.arange(n_keys, device=lengths.device)[None, :] >= lengths[:, None])[:, None, :]


def masked_softmax(scores, mask=None):
    attn = scores if mask is None else scores.masked_fill(mask, -1e9)
    attn = nn.Softmax(dim=-1)(attn)
    return attn if mask is None else attn.masked_fill(mask, 0.0)


def masked_attention(Q, K, V, mask=None):
    drop = nn.Dropout(0.2)
    energy = torch.einsum("...qd,...kd->...qk", Q, K) / Q.shape[-1] ** 0.5
    attn = masked_softmax(energy, mask)
    return drop(attn) @ V, attn


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    T = x.shape[1]
    mask = torch.zeros(T, T, dtype=torch.bool, device=x.device)
    if causal:
        mask = mask | causal_mask(T, device=x.device)
    if lengths is not None:
        mask = mask | padding_mask(lengths, T)
    return masked_attention(x @ W_Q, x @ W_K, x @ W_V, mask)
