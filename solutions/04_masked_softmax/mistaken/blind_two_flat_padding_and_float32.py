# mistakes: mask-padding-shape, softmax-result-left-in-float32
# padding_mask has shape (B, n_keys), without the query axis.
# masked_softmax always returns float32.
import math
import torch
import torch.nn.functional as F


def causal_mask(n_queries, n_keys=None, device=None):
    n_keys = n_queries if n_keys is None else n_keys
    return torch.arange(n_keys, device=device)[None, :] > (torch.arange(n_queries, device=device) + n_keys - n_queries)[:, None]


def padding_mask(lengths, n_keys):
    return torch.arange(n_keys, device=lengths.device)[None, :] >= lengths[:, None]


def masked_softmax(scores, mask=None):
    # softmax in full precision, half precision is unstable
    if mask is None:
        return F.softmax(scores, dim=-1, dtype=torch.float32)
    scores = scores.masked_fill(mask, -1e9)
    return F.softmax(scores, dim=-1, dtype=torch.float32).masked_fill(mask, 0.0)


def masked_attention(Q, K, V, mask=None):
    weights = masked_softmax(Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1]), mask)
    return weights.to(V.dtype) @ V, weights.to(V.dtype)


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    T = x.shape[1]
    mask = torch.zeros(1, T, T, dtype=torch.bool, device=x.device)
    if causal:
        mask = mask | causal_mask(T, device=x.device)
    if lengths is not None:
        mask = mask | padding_mask(lengths, T)[:, None, :]
    return masked_attention(x @ W_Q, x @ W_K, x @ W_V, mask)
