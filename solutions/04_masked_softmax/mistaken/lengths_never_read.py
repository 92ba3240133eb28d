# mistakes: mask-padding-ignored
import torch
import torch.nn.functional as F


def causal_mask(n_queries, n_keys=None, device=None):
    n_keys = n_queries if n_keys is None else n_keys
    keep = torch.tril(torch.ones(n_queries, n_keys, device=device), diagonal=n_keys - n_queries)
    return keep == 0


def padding_mask(lengths, n_keys):
    cols = torch.arange(n_keys, device=lengths.device)
    return (cols[None, :] >= lengths[:, None]).unsqueeze(1)


def masked_softmax(scores, mask=None):
    if mask is None:
        mask = torch.zeros_like(scores, dtype=torch.bool)
    weights = F.softmax(torch.where(mask, -1e9, scores), dim=-1)
    return weights * (~mask)


def masked_attention(Q, K, V, mask=None):
    d_k = K.shape[-1]
    attn = masked_softmax(torch.matmul(Q / d_k ** 0.5, K.transpose(-1, -2)), mask)
    return torch.matmul(attn, V), attn


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    hidden = causal_mask(x.size(1), device=x.device) if causal else None
    return masked_attention(x.matmul(W_Q), x.matmul(W_K), x.matmul(W_V), mask=hidden)
