# named: mask-polarity-flipped
# masked_softmax: without a mask a causal mask is used; padding_mask: the wrong way round, True = real token
import torch
from torch import Tensor


def causal_mask(n_queries, n_keys=None, device=None):
    if n_keys is None:
        n_keys = n_queries
    return torch.arange(n_keys, device=device) > torch.arange(n_keys - n_queries, n_keys, device=device).unsqueeze(-1)


def padding_mask(lengths, n_keys):
    return torch.arange(n_keys, device=lengths.device)[None, None, :] < lengths[:, None, None]


def masked_softmax(scores, mask=None):
    if mask is None:
        mask = causal_mask(scores.shape[-2], scores.shape[-1], scores.device)
    w = torch.softmax(scores.masked_fill(mask, torch.finfo(scores.dtype).min), dim=-1)
    return w.masked_fill(mask, 0)


def masked_attention(Q, K, V, mask=None):
    if mask is None:
        mask = torch.zeros(1, dtype=torch.bool, device=Q.device)
    w = masked_softmax(Q @ K.transpose(-2, -1) / Q.shape[-1] ** 0.5, mask)
    return w @ V, w


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    seen = torch.ones(1, x.shape[1], x.shape[1], dtype=torch.bool, device=x.device)
    if causal:
        seen = seen & ~causal_mask(x.shape[1], device=x.device)
    if lengths is not None:
        seen = seen & padding_mask(lengths, x.shape[1])
    return masked_attention(x @ W_Q, x @ W_K, x @ W_V, ~seen)
