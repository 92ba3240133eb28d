# mistakes: mask-causal-returned-as-numbers, mask-padding-one-length-for-all
import torch
from torch import Tensor


def causal_mask(n_queries, n_keys=None, device=None):
    n_keys = n_keys if n_keys is not None else n_queries
    return torch.triu(torch.ones(n_queries, n_keys, device=device), diagonal=n_keys - n_queries + 1)


def padding_mask(lengths, n_keys):
    mask = torch.ones(lengths.shape[0], 1, n_keys, dtype=torch.bool, device=lengths.device)
    for b in range(lengths.shape[0]):
        mask[b, 0, : lengths[b]] = False
    return mask


def masked_softmax(scores, mask=None):
    if mask is None:
        return torch.softmax(scores, dim=-1)
    mask = mask.bool()
    p = scores.masked_fill(mask, torch.finfo(scores.dtype).min).softmax(dim=-1)
    return p.masked_fill(mask, 0)


def masked_attention(Q, K, V, mask=None):
    weights = masked_softmax(Q @ K.mT / Q.shape[-1] ** 0.5, mask)
    return weights @ V, weights


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    B, T = x.shape[:2]
    mask = torch.zeros(B, T, T, dtype=torch.bool, device=x.device)
    if causal:
        mask = mask | causal_mask(T, device=x.device).bool()
    if lengths is not None and B > 0:
        mask[:, :, int(lengths.max()):] = True
    return masked_attention(x @ W_Q, x @ W_K, x @ W_V, mask)
