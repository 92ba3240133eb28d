# mistakes: mask-padding-dropped-when-causal
# self_attention ignores lengths when causal is set.
import torch
import torch.nn.functional as F


def causal_mask(n_queries, n_keys=None, device=None):
    if n_keys is None:
        n_keys = n_queries
    full = torch.ones((n_queries, n_keys), dtype=torch.bool, device=device)
    return torch.triu(full, diagonal=n_keys - n_queries + 1)


def padding_mask(lengths, n_keys):
    idx = torch.arange(n_keys, device=lengths.device)
    return ~(idx[None, None, :] < lengths[:, None, None])


def masked_softmax(scores, mask=None):
    if mask is None:
        return F.softmax(scores, dim=-1)
    hidden = scores.masked_fill(mask, torch.finfo(scores.dtype).min)
    return F.softmax(hidden, dim=-1).masked_fill(mask, 0.0)


def masked_attention(Q, K, V, mask=None):
    d_k = K.size(-1)
    weights = masked_softmax((Q @ K.mT) * d_k ** -0.5, mask)
    return weights @ V, weights


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    q, k, v = (x @ w for w in (W_Q, W_K, W_V))
    n = x.size(-2)
    if causal:
        mask = causal_mask(n, device=x.device)
    elif lengths is not None:
        mask = padding_mask(lengths, n)
    else:
        mask = None
    return masked_attention(q, k, v, mask)
