"""Week 4 - bruno"""
import torch

NEG = -1e9


def causal_mask(n_queries: int, n_keys: int | None = None, device=None) -> torch.Tensor:
    n_keys = n_queries if n_keys is None else n_keys
    everything = torch.ones(n_queries, n_keys, dtype=torch.bool, device=device)
    return torch.triu(everything, diagonal=1 + n_keys - n_queries)


def padding_mask(lengths: torch.Tensor, n_keys: int) -> torch.Tensor:
    ruler = torch.arange(n_keys, device=lengths.device)
    return ~(ruler < lengths.unsqueeze(-1)).unsqueeze(1)


def masked_softmax(scores: torch.Tensor, mask: torch.Tensor | None = None) -> torch.Tensor:
    if mask is None:
        return scores.softmax(-1)
    # a very low number instead of -inf, then wipe what is left (matters when the whole row is hidden)
    w = torch.where(mask, torch.full_like(scores, NEG), scores).softmax(-1)
    return torch.where(mask, torch.zeros_like(w), w)


def masked_attention(Q, K, V, mask=None):
    scores = torch.einsum("...qd,...kd->...qk", Q, K) * Q.size(-1) ** -0.5
    A = masked_softmax(scores, mask)
    return torch.einsum("...qk,...kv->...qv", A, V), A


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    Q = torch.einsum("btm,mk->btk", x, W_Q)
    K = torch.einsum("btm,mk->btk", x, W_K)
    V = torch.einsum("btm,mv->btv", x, W_V)
    n = x.shape[1]
    mask = torch.zeros(1, n, n, dtype=torch.bool, device=x.device)
    if causal:
        mask = mask | causal_mask(n, device=x.device)
    if lengths is not None:
        mask = mask | padding_mask(lengths, n)
    return masked_attention(Q, K, V, mask)
