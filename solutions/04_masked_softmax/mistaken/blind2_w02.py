# mistakes: mask-causal-shows-next-key
import torch
import torch.nn.functional as F
from torch import Tensor


def causal_mask(n_queries, n_keys=None, device=None):
    if n_keys is None:
        q_places = torch.arange(n_queries, device=device)
        k_places = torch.arange(n_queries, device=device)
    else:
        q_places = torch.arange(n_keys - n_queries + 1, n_keys + 1, device=device)
        k_places = torch.arange(n_keys, device=device)
    return k_places[None, :] > q_places[:, None]


def padding_mask(lengths, n_keys):
    return ~(torch.arange(n_keys, device=lengths.device) < lengths[:, None])[:, None]


def masked_softmax(scores, mask=None):
    if mask is None:
        mask = torch.zeros_like(scores, dtype=torch.bool)
    lowest = torch.finfo(scores.dtype).min
    p = F.softmax(torch.where(mask, lowest, scores), dim=-1)
    return torch.where(mask, torch.zeros_like(p), p)


def masked_attention(Q, K, V, mask=None):
    scores = torch.matmul(Q, K.transpose(-1, -2)) * K.size(-1) ** -0.5
    weights = masked_softmax(scores, mask=mask)
    return weights.matmul(V), weights


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    mask = None
    if causal:
        mask = causal_mask(x.size(1), device=x.device)
    if lengths is not None:
        pad = padding_mask(lengths, x.size(1))
        mask = pad if mask is None else pad | mask
    return masked_attention(x @ W_Q, x @ W_K, x @ W_V, mask)
