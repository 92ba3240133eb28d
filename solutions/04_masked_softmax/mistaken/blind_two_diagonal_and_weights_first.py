# mistakes: mask-causal-hides-self, output-and-weights-swapped
# causal_mask hides the diagonal too.
# masked_attention returns the weights first.
import math
import torch


def causal_mask(n_queries, n_keys=None, device=None):
    n_keys = n_queries if n_keys is None else n_keys
    q = torch.arange(n_queries, device=device)[:, None] + n_keys - n_queries
    k = torch.arange(n_keys, device=device)
    return ~(k < q)


def padding_mask(lengths, n_keys):
    return ~(torch.arange(n_keys, device=lengths.device) < lengths[:, None])[:, None]


def masked_softmax(scores, mask=None):
    weights = torch.softmax(scores if mask is None else scores.masked_fill(mask, -1e9), dim=-1)
    return weights if mask is None else weights.masked_fill(mask, 0.0)


def masked_attention(Q, K, V, mask=None):
    alpha = masked_softmax(Q @ K.transpose(-2, -1) / math.sqrt(K.shape[-1]), mask)
    context = alpha @ V
    return alpha, context


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    mask = torch.zeros(1, x.shape[1], x.shape[1], dtype=torch.bool, device=x.device)
    if causal:
        mask = mask | causal_mask(x.shape[1], device=x.device)
    if lengths is not None:
        mask = mask | padding_mask(lengths, x.shape[1])
    return masked_attention(x @ W_Q, x @ W_K, x @ W_V, mask)
