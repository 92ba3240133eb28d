# accepted: float32 inside for halves through a decorator; channels-last strides returned
import functools
import math
import torch


def in_at_least_float32(fn):
    @functools.wraps(fn)
    def wrapped(scores, *args, **kwargs):
        wide = torch.promote_types(scores.dtype, torch.float32)
        return fn(scores.to(wide), *args, **kwargs).to(scores.dtype)
    return wrapped


def causal_mask(n_queries, n_keys=None, device=None):
    n_keys = n_queries if n_keys is None else n_keys
    return torch.arange(n_keys, device=device)[:, None].gt(torch.arange(n_keys - n_queries, n_keys, device=device)).T


def padding_mask(lengths, n_keys):
    return (torch.arange(n_keys, device=lengths.device)[:, None] >= lengths).T[:, None, :]


@in_at_least_float32
def masked_softmax(scores, mask=None):
    logits = scores if mask is None else scores - torch.zeros_like(scores).masked_fill(mask, 1e30)
    log_z = torch.logsumexp(logits, -1, keepdim=True)
    weights = torch.exp(logits - log_z)
    return weights if mask is None else torch.where(mask, 0.0, weights)


def masked_attention(Q, K, V, mask=None):
    weights = masked_softmax(Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1]), mask)
    output = (V.transpose(-2, -1) @ weights.transpose(-2, -1)).transpose(-2, -1)
    return output, weights


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    n = x.shape[1]
    mask = torch.zeros(n, n, dtype=torch.bool, device=x.device)
    if causal:
        mask = mask + causal_mask(n, device=x.device)
    if lengths is not None:
        mask = mask + padding_mask(lengths, n)
    return masked_attention(x @ W_Q, x @ W_K, x @ W_V, mask > 0)
