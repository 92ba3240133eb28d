# accepted: a torch.autograd.Function with its own backward, and functions put into classes
import math

import torch


class MaskedSoftmax(torch.autograd.Function):
    @staticmethod
    def forward(ctx, scores, mask):
        filled = scores.masked_fill(mask, -math.inf)
        weights = torch.nan_to_num(torch.softmax(filled, dim=-1))
        ctx.save_for_backward(weights)
        return weights

    @staticmethod
    def backward(ctx, grad):
        (weights,) = ctx.saved_tensors
        return weights * (grad - (grad * weights).sum(-1, keepdim=True)), None


def causal_mask(n_queries, n_keys=None, device=None):
    n_keys = n_queries if n_keys is None else n_keys
    i, j = torch.tril_indices(n_queries, n_keys, n_keys - n_queries, device=device or "cpu")
    mask = torch.ones(n_queries, n_keys, dtype=torch.bool, device=device)
    mask[i, j] = False
    return mask


def padding_mask(lengths, n_keys):
    return torch.searchsorted(lengths[:, None].contiguous(), torch.arange(n_keys, device=lengths.device).to(lengths.dtype)
                              .expand(len(lengths), n_keys).contiguous(), right=True).bool()[:, None, :]


def masked_softmax(scores, mask=None):
    if mask is None:
        mask = torch.zeros(scores.shape[-1], dtype=torch.bool, device=scores.device)
    return MaskedSoftmax.apply(scores, mask)


class Attention:
    def __init__(self, d_k):
        self.scale = math.sqrt(d_k)

    def __call__(self, Q, K, V, mask):
        weights = masked_softmax(Q.matmul(K.transpose(-2, -1)) / self.scale, mask)
        return weights.matmul(V), weights


def masked_attention(Q, K, V, mask=None):
    return Attention(Q.shape[-1])(Q, K, V, mask)


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    T = x.shape[1]
    mask = torch.zeros(T, T, dtype=torch.bool, device=x.device)
    mask = mask | causal_mask(T, device=x.device) if causal else mask
    mask = mask | padding_mask(lengths, T) if lengths is not None else mask
    return Attention(W_Q.shape[1])(x @ W_Q, x @ W_K, x @ W_V, mask)
