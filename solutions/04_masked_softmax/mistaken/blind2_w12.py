# mistakes: mask-padding-shape, mask-of-first-sample-for-all
import torch
from torch import Tensor


def causal_mask(n_queries, n_keys=None, device=None):
    if n_keys is None:
        n_keys = n_queries
    keys = torch.arange(n_keys, device=device)
    return torch.stack([keys > q for q in range(n_keys - n_queries, n_keys)])


def padding_mask(lengths, n_keys):
    keys = torch.arange(n_keys, device=lengths.device)
    return keys[None, :] >= lengths[:, None]


def masked_softmax(scores, mask=None):
    if mask is None:
        return torch.softmax(scores, dim=-1)
    low = torch.finfo(scores.dtype).min
    out = torch.softmax(torch.where(mask, low, scores), dim=-1)
    return torch.where(mask, torch.zeros_like(out), out)


def one_sample(q, k, v, m):
    w = masked_softmax(q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5, m)
    return w @ v, w


def masked_attention(Q, K, V, mask=None):
    if Q.dim() == 2 or len(Q) == 0:
        return one_sample(Q, K, V, mask)
    if mask is not None and mask.dim() == Q.dim():
        mask = mask[0]
    pairs = [one_sample(Q[b], K[b], V[b], mask) for b in range(len(Q))]
    outputs, weights = zip(*pairs)
    return torch.stack(outputs), torch.stack(weights)


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    T = x.shape[1]
    m = torch.zeros(1, T, T, dtype=torch.bool, device=x.device)
    if causal:
        m = m | causal_mask(T, device=x.device)
    if lengths is not None:
        m = m | padding_mask(lengths, T).unsqueeze(1)
    return one_sample(x @ W_Q, x @ W_K, x @ W_V, m)
