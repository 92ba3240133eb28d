# accepted: in its own way
import math
import torch
from torch import Tensor


def causal_mask(n_queries, n_keys=None, device=None):
    n_keys = n_keys or n_queries
    older = torch.ones(n_queries, n_keys, device=device).tril(n_keys - n_queries)
    return older == 0


def padding_mask(lengths, n_keys):
    counter = torch.ones(len(lengths), n_keys, dtype=torch.long, device=lengths.device).cumsum(1)
    return torch.gt(counter, lengths[:, None])[:, None, :]


def masked_softmax(scores, mask=None):
    if mask is None:
        mask = torch.zeros((), dtype=torch.bool, device=scores.device)
    # where there is nothing to see, pretend that all is open and wipe it out later
    open_rows = mask.broadcast_to(scores.shape).all(-1, keepdim=True)
    bias = torch.zeros_like(scores).masked_fill(mask & ~open_rows, -math.inf)
    return (scores + bias).softmax(-1) * mask.logical_not()


def masked_attention(Q, K, V, mask=None):
    weights = masked_softmax(torch.einsum("...qd,...kd->...qk", Q, K).div(math.sqrt(K.shape[-1])), mask)
    return torch.einsum("...qk,...kv->...qv", weights, V), weights


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    T = x.shape[1]
    mask = causal_mask(T, device=x.device) & causal
    if lengths is not None:
        mask = mask + padding_mask(lengths, T)
    return masked_attention(*(x @ W for W in (W_Q, W_K, W_V)), mask=mask)
