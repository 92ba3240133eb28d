# mistakes: mask-causal-missing
import torch


def causal_mask(n_queries, n_keys=None, device=None):
    n_keys = n_queries if n_keys is None else n_keys
    i = torch.arange(n_queries, device=device).unsqueeze(1)
    j = torch.arange(n_keys, device=device).unsqueeze(0)
    offset = n_keys - n_queries
    return j > i + offset


def padding_mask(lengths, n_keys):
    valid = torch.arange(n_keys, device=lengths.device) < lengths.unsqueeze(1)
    return ~valid[:, None, :]


def masked_softmax(scores, mask=None):
    if mask is None:
        return torch.softmax(scores, dim=-1)
    weights = torch.softmax(scores.masked_fill(mask, -1e9), dim=-1)
    return weights.masked_fill(mask, 0.0)


def masked_attention(Q, K, V, mask=None):
    d_k = K.shape[-1]
    attn = masked_softmax(torch.matmul(Q / d_k ** 0.5, K.transpose(-1, -2)), mask)
    return torch.matmul(attn, V), attn


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    B, T, _ = x.shape
    full = torch.zeros(B, T, T, dtype=torch.bool, device=x.device)
    if causal:
        full.logical_or(causal_mask(T, device=x.device))
    if lengths is not None:
        full = full.logical_or(padding_mask(lengths, T))
    q, k, v = [x @ W for W in (W_Q, W_K, W_V)]
    return masked_attention(q, k, v, full)
