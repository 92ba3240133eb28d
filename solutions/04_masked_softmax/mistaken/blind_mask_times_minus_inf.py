# mistakes: mask-zero-times-infinity
# masked_softmax adds mask * -inf, and 0 * -inf is NaN.
import torch
import torch.nn.functional as F


def causal_mask(n_queries, n_keys=None, device=None):
    n_keys = n_queries if n_keys is None else n_keys
    return torch.ones(n_queries, n_keys, dtype=torch.bool, device=device).triu(n_keys - n_queries + 1)


def padding_mask(lengths, n_keys):
    return (torch.arange(n_keys, device=lengths.device).expand(len(lengths), -1) >= lengths[:, None]).unsqueeze(1)


def masked_softmax(scores, mask=None):
    if mask is None:
        return F.softmax(scores, dim=-1)
    additive = mask.to(scores.dtype) * float("-inf")
    out = F.softmax(scores + additive, dim=-1)
    return out.masked_fill(mask.all(dim=-1, keepdim=True), 0.0)


def masked_attention(Q, K, V, mask=None):
    scores = Q @ K.transpose(-2, -1) / (Q.shape[-1] ** 0.5)
    weights = masked_softmax(scores, mask)
    return weights @ V, weights


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    mask = None
    if causal:
        mask = causal_mask(x.shape[1], device=x.device)
    if lengths is not None:
        pad = padding_mask(lengths, x.shape[1])
        mask = pad if mask is None else mask | pad
    return masked_attention(x @ W_Q, x @ W_K, x @ W_V, mask)
