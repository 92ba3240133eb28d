# mistakes: mask-padding-on-query-axis, mask-causal-missing
import torch
import torch.nn.functional as F


def causal_mask(n_queries, n_keys=None, device=None):
    if n_keys is None:
        n_keys = n_queries
    mask = torch.zeros(n_queries, n_keys, dtype=torch.bool, device=device)
    for i in range(n_queries):
        for j in range(n_keys):
            mask[i, j] = j > i + n_keys - n_queries
    return mask


def padding_mask(lengths, n_keys):
    idx = torch.arange(n_keys, device=lengths.device)[None, :]
    return (idx >= lengths[:, None])[..., None]


def masked_softmax(scores, mask=None):
    if mask is not None:
        scores = scores.masked_fill(mask, float("-inf"))
    return torch.nan_to_num(F.softmax(scores, dim=-1))


def masked_attention(Q, K, V, mask=None):
    d_k = K.shape[-1]
    attn = masked_softmax(torch.matmul(Q / d_k ** 0.5, K.transpose(-1, -2)), mask)
    return torch.matmul(attn, V), attn


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    mask = None if lengths is None else padding_mask(lengths, x.shape[1])
    return masked_attention(x @ W_Q, x @ W_K, x @ W_V, mask)
