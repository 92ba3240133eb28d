# mistakes: mask-padding-on-the-left
# padding_mask puts the padding at the left, hiding the first n_keys - length keys.
import math
import torch


def causal_mask(n_queries, n_keys=None, device=None):
    if n_keys is None:
        n_keys = n_queries
    offset = n_keys - n_queries
    m = torch.zeros(n_queries, n_keys, dtype=torch.bool, device=device)
    for i in range(n_queries):
        m[i, max(0, i + offset + 1):] = True
    return m


def padding_mask(lengths, n_keys):
    n_pad = n_keys - lengths
    positions = torch.arange(n_keys, device=lengths.device)
    return (positions.unsqueeze(0) < n_pad.unsqueeze(1)).unsqueeze(1)


def masked_softmax(scores, mask=None):
    if mask is not None:
        scores = scores.masked_fill(mask, -1e9)
    p = torch.softmax(scores, dim=-1)
    return p if mask is None else p.masked_fill(mask, 0.0)


def masked_attention(Q, K, V, mask=None):
    p = masked_softmax(Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1]), mask)
    return p @ V, p


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    n = x.shape[1]
    mask = torch.zeros(n, n, dtype=torch.bool, device=x.device)
    if causal:
        mask = mask.logical_or(causal_mask(n, device=x.device))
    if lengths is not None:
        mask = mask.logical_or(padding_mask(lengths, n))
    return masked_attention(x @ W_Q, x @ W_K, x @ W_V, mask)
