# accepted: the softmax compiled with torch.jit.script
import math
from typing import Optional
import torch


def causal_mask(n_queries, n_keys=None, device=None):
    n_keys = n_queries if n_keys is None else n_keys
    return torch.full((n_queries, n_keys), -math.inf, device=device).triu(1 + n_keys - n_queries).isinf()


def padding_mask(lengths, n_keys):
    return torch.arange(n_keys, device=lengths.device)[None, None, :] > lengths[:, None, None] - 1


@torch.jit.script
def _softmax(scores: torch.Tensor, mask: Optional[torch.Tensor]) -> torch.Tensor:
    if mask is None:
        return torch.softmax(scores, -1)
    weights = torch.softmax(scores.masked_fill(mask, -1e9), -1)
    return weights.masked_fill(mask, 0.0)


def masked_softmax(scores, mask=None):
    return _softmax(scores, mask)


def masked_attention(Q, K, V, mask=None):
    weights = masked_softmax(torch.matmul(Q, K.transpose(-2, -1)) / math.sqrt(Q.shape[-1]), mask)
    return torch.matmul(weights, V), weights


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    n = x.shape[1]
    mask = torch.zeros(n, n, dtype=torch.bool, device=x.device)
    if causal:
        mask = causal_mask(n, device=x.device)
    if lengths is not None:
        mask = mask | padding_mask(lengths, n)
    return masked_attention(x @ W_Q, x @ W_K, x @ W_V, mask)
