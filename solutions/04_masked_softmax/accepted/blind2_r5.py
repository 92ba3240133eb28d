# accepted: in its own way
from functools import reduce
from operator import or_

import torch
from torch import Tensor


def causal_mask(n_queries, n_keys=None, device=None):
    n_keys = n_queries if n_keys is None else n_keys
    lengths = torch.arange(n_keys - n_queries + 1, n_keys + 1, device=device)
    return padding_mask(lengths, n_keys)[:, 0]


def padding_mask(lengths, n_keys):
    return lengths[:, None, None] <= torch.arange(n_keys, device=lengths.device)


class _MaskedSoftmax(torch.autograd.Function):
    @staticmethod
    def forward(ctx, scores, mask):
        low = scores.masked_fill(mask, torch.finfo(scores.dtype).min)
        weights = low.softmax(-1).masked_fill(mask, 0)
        ctx.save_for_backward(weights)
        return weights

    @staticmethod
    def backward(ctx, grad):
        (weights,) = ctx.saved_tensors
        return weights * (grad - (grad * weights).sum(-1, keepdim=True)), None


def masked_softmax(scores, mask=None):
    if mask is None:
        mask = torch.zeros_like(scores).bool()
    return _MaskedSoftmax.apply(scores, mask)


def masked_attention(Q, K, V, mask=None):
    weights = masked_softmax((Q * Q.shape[-1] ** -0.25) @ (K * K.shape[-1] ** -0.25).mT, mask)
    return weights @ V, weights


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    T = x.shape[1]
    masks = [torch.zeros(T, T, dtype=torch.bool, device=x.device)]
    masks += [causal_mask(T, device=x.device)] * bool(causal)
    masks += [] if lengths is None else [padding_mask(lengths, T)]
    return masked_attention(x @ W_Q, x @ W_K, x @ W_V, reduce(or_, masks))
