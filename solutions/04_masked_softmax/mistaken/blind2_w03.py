# mistakes: mask-padding-full-length-hidden
import torch
from torch import Tensor


def causal_mask(n_queries, n_keys=None, device=None):
    n_keys = n_queries if n_keys is None else n_keys
    shift = n_keys - n_queries
    table = [[j > i + shift for j in range(n_keys)] for i in range(n_queries)]
    return torch.tensor(table, device=device)


def padding_mask(lengths, n_keys):
    B = lengths.shape[0]
    mask = torch.zeros(B, 1, n_keys, dtype=torch.bool, device=lengths.device)
    for b in range(B):
        n_pad = n_keys - int(lengths[b])
        mask[b, :, -n_pad:] = True
    return mask


def masked_softmax(scores, mask=None):
    if mask is None:
        return scores.softmax(dim=-1)
    visible = (~mask).to(scores.dtype) * torch.ones_like(scores)
    shifted = scores.masked_fill(mask, torch.finfo(scores.dtype).min)
    shifted = shifted - shifted.amax(dim=-1, keepdim=True)
    e = torch.exp(shifted) * visible
    total = e.sum(dim=-1, keepdim=True)
    total = total + (total == 0)
    return e / total


def masked_attention(Q, K, V, mask=None):
    A = masked_softmax(Q @ K.mT / K.shape[-1] ** 0.5, mask)
    return A @ V, A


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    Q, K, V = x @ W_Q, x @ W_K, x @ W_V
    masks = []
    if causal:
        masks.append(causal_mask(x.shape[1], device=x.device))
    if lengths is not None:
        masks.append(padding_mask(lengths, x.shape[1]))
    if not masks:
        return masked_attention(Q, K, V)
    mask = masks[0]
    for m in masks[1:]:
        mask = mask | m
    return masked_attention(Q, K, V, mask)
