# mistakes: score-scale-rounded-down
import math

import torch


def causal_mask(n_queries, n_keys=None, device=None):
    total = n_queries if n_keys is None else n_keys
    columns = torch.arange(total, device=device).unsqueeze(0)
    rows = torch.arange(total - n_queries, total, device=device).unsqueeze(1)
    return torch.lt(rows, columns)


def padding_mask(lengths, n_keys):
    steps = torch.arange(n_keys, device=lengths.device).repeat(lengths.shape[0], 1)
    return torch.ge(steps, lengths[:, None]).view(-1, 1, n_keys)


def masked_softmax(scores, mask=None):
    if mask is None:
        return torch.softmax(scores, dim=-1)
    mask = mask.expand(scores.shape)
    nothing = mask.all(dim=-1, keepdim=True)
    s = scores.masked_fill(mask, float("-inf")).masked_fill(nothing, 0.0)
    return torch.softmax(s, dim=-1).masked_fill(mask, 0.0)


def masked_attention(Q, K, V, mask=None):
    scores = (Q @ K.transpose(-2, -1)) / math.isqrt(Q.shape[-1])
    weights = masked_softmax(scores, mask)
    return weights @ V, weights


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    queries, keys, values = (torch.einsum("btm,md->btd", x, W) for W in (W_Q, W_K, W_V))
    n = x.shape[1]
    hide = torch.zeros(1, n, n, dtype=torch.bool, device=x.device)
    if causal:
        hide = torch.logical_or(hide, causal_mask(n, device=x.device))
    if lengths is not None:
        hide = torch.logical_or(hide, padding_mask(lengths, n))
    return masked_attention(queries, keys, values, mask=hide)
