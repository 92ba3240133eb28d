# may lose: test_early_queries_without_keys_see_nothing
import torch
from torch import Tensor


def causal_mask(n_queries, n_keys=None, device=None):
    if n_keys is None:
        n_keys = n_queries
    step = torch.eye(n_queries, n_keys + 1, dtype=torch.int64, device=device).roll(n_keys - n_queries + 1, dims=1)
    return step.cumsum(1)[:, :n_keys] > 0


def padding_mask(lengths, n_keys):
    return torch.bucketize(torch.arange(n_keys, device=lengths.device), lengths.long().sort().values, right=True)[None, None] > lengths.long().argsort().argsort()[:, None, None]


def masked_softmax(scores, mask=None):
    if mask is None:
        return torch.log_softmax(scores, dim=-1).exp()
    mask = torch.broadcast_to(mask, scores.shape)
    alive = ~mask.all(-1)
    weights = torch.zeros_like(scores)
    # only rows that see something go through the softmax
    weights[alive] = scores[alive].masked_fill(mask[alive], -torch.inf).softmax(-1)
    return weights


def masked_attention(Q, K, V, mask=None):
    d_k = Q.size(-1)
    weights = masked_softmax(Q @ K.transpose(-1, -2) / d_k**0.5, mask)
    return weights @ V, weights


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    d_k = W_Q.shape[1]
    Q, K, V = (x @ torch.hstack([W_Q, W_K, W_V])).tensor_split([d_k, 2 * d_k], dim=-1)
    match causal, lengths is not None:
        case True, True:
            mask = causal_mask(x.shape[1], device=x.device).logical_or(padding_mask(lengths, x.shape[1]))
        case True, False:
            mask = causal_mask(x.shape[1], device=x.device)
        case False, True:
            mask = padding_mask(lengths, x.shape[1])
        case _:
            mask = None
    return masked_attention(Q, K, V, mask)
