# accepted: in its own way
import torch
from torch import Tensor


class Hiding:
    """Collects reasons to hide a key."""

    def __init__(self, *shape, device=None):
        self.table = torch.zeros(*shape, dtype=torch.bool, device=device)

    def add(self, reason):
        self.table = torch.maximum(self.table, reason)
        return self


def causal_mask(n_queries, n_keys=None, device=None):
    n_keys = n_keys if n_keys is not None else n_queries
    grid = torch.meshgrid(
        torch.arange(-n_queries, 0, device=device), torch.arange(-n_keys, 0, device=device), indexing="ij"
    )
    return grid[1] > grid[0]


def padding_mask(lengths, n_keys):
    if len(lengths) == 0:
        return torch.zeros(0, 1, n_keys, dtype=torch.bool, device=lengths.device)
    return torch.vmap(lambda length: torch.arange(n_keys, device=lengths.device)[None] >= length)(lengths)


def masked_softmax(scores, mask=None):
    if mask is None:
        mask = Hiding(1, device=scores.device).table
    sink = torch.zeros_like(scores[..., :1])
    low = torch.finfo(scores.dtype).min
    # an extra key that is seen only by queries that see nothing else
    blind = torch.broadcast_to(mask, scores.shape).all(-1, keepdim=True)
    longer = torch.cat([torch.where(mask, low, scores), torch.where(blind, sink, low)], dim=-1)
    weights = longer.softmax(-1)[..., :-1]
    return torch.where(mask, torch.zeros_like(weights), weights)


def masked_attention(Q, K, V, mask=None):
    Q = Q / K.shape[-1] ** 0.5
    weights = masked_softmax(torch.inner(Q, K) if Q.dim() == K.dim() == 2 else Q @ K.mT, mask)
    return weights @ V, weights


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    B, T = x.shape[0], x.shape[1]
    hiding = Hiding(B, T, T, device=x.device)
    if causal:
        hiding.add(causal_mask(T, device=x.device).expand(B, T, T))
    if lengths is not None:
        hiding.add(padding_mask(lengths, T).expand(B, T, T))
    return masked_attention(x @ W_Q, x @ W_K, x @ W_V, mask=hiding.table)
