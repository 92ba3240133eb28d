# accepted: softmax by hand, exponentials times the kept positions, sum guarded by where
import math

import torch


def causal_mask(n_queries, n_keys=None, device=None):
    n_keys = n_queries if n_keys is None else n_keys
    mask = torch.zeros(n_queries, n_keys, dtype=torch.bool, device=device)
    for i in range(n_queries):
        first_hidden = max(0, i + n_keys - n_queries + 1)
        mask[i, first_hidden:] = True
    return mask


def padding_mask(lengths, n_keys):
    mask = torch.zeros(len(lengths), 1, n_keys, dtype=torch.bool, device=lengths.device)
    for b, n in enumerate(lengths.tolist()):
        mask[b, 0, n:] = True
    return mask


def masked_softmax(scores, mask=None):
    keep = torch.ones_like(scores) if mask is None else (~mask).to(scores.dtype).expand(scores.shape)
    seen = torch.where(keep > 0, scores, torch.full_like(scores, -torch.inf))
    top = seen.max(dim=-1, keepdim=True).values.detach()
    top = torch.where(torch.isinf(top), torch.zeros_like(top), top)
    e = torch.exp(seen - top) * keep
    z = e.sum(-1, keepdim=True)
    return e / torch.where(z > 0, z, torch.ones_like(z))


def masked_attention(Q, K, V, mask=None):
    w = masked_softmax(Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1]), mask)
    return w @ V, w


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    T = x.shape[-2]
    future = causal_mask(T, device=x.device) if causal else torch.zeros(T, T, dtype=torch.bool, device=x.device)
    if lengths is None:
        hidden = future
    else:
        hidden = future | padding_mask(lengths, T)
    return masked_attention(x @ W_Q, x @ W_K, x @ W_V, hidden)
