# mistakes: mask-fully-masked-row-attends-everything, mask-padding-dropped-when-causal
import torch
from torch import Tensor


def causal_mask(n_queries, n_keys=None, device=None):
    if n_keys is None:
        n_keys = n_queries
    rows = []
    for query in range(n_keys - n_queries, n_keys):
        rows.append([key > query for key in range(n_keys)])
    return torch.tensor(rows, dtype=torch.bool, device=device)


def padding_mask(lengths, n_keys):
    index = torch.arange(n_keys, device=lengths.device)
    return torch.ge(index[None, None, :], lengths[:, None, None])


def masked_softmax(scores, mask=None):
    if mask is not None:
        scores = scores.masked_fill(mask, -1e30)
    return torch.nn.functional.softmax(scores, dim=-1)


def masked_attention(Q, K, V, mask=None):
    scale = K.shape[-1] ** 0.5
    weights = masked_softmax(torch.matmul(Q, K.transpose(-2, -1)) / scale, mask)
    return torch.matmul(weights, V), weights


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    queries, keys, values = x @ W_Q, x @ W_K, x @ W_V
    if causal:
        hidden = causal_mask(x.shape[1], device=x.device)
    elif lengths is not None:
        hidden = padding_mask(lengths, x.shape[1])
    else:
        hidden = None
    return masked_attention(queries, keys, values, hidden)
