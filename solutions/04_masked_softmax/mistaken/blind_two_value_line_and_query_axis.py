# mistakes: proj-value-through-key-weights, softmax-over-query-axis
# self_attention projects the values with W_K.
# masked_softmax normalises over the queries (axis -2).
import torch


def causal_mask(n_queries, n_keys=None, device=None):
    n_keys = n_queries if n_keys is None else n_keys
    return torch.triu(torch.ones(n_queries, n_keys, device=device), n_keys - n_queries + 1) == 1


def padding_mask(lengths, n_keys):
    return (torch.arange(n_keys, device=lengths.device) >= lengths.unsqueeze(1)).unsqueeze(1)


def masked_softmax(scores, mask=None):
    if mask is None:
        return torch.softmax(scores, dim=-2)
    scores = scores.masked_fill(mask, -1e9)
    scores = torch.softmax(scores, dim=-2)
    return scores.masked_fill(mask, 0.0)


def masked_attention(Q, K, V, mask=None):
    weights = masked_softmax(torch.einsum("...id,...jd->...ij", Q, K) / Q.shape[-1] ** 0.5, mask)
    return torch.einsum("...ij,...jd->...id", weights, V), weights


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    Q = torch.einsum("btd,dk->btk", x, W_Q)
    K = torch.einsum("btd,dk->btk", x, W_K)
    V = torch.einsum("btd,dk->btk", x, W_K)
    n = x.shape[1]
    mask = torch.zeros(1, n, n, dtype=torch.bool, device=x.device)
    if causal:
        mask = mask | causal_mask(n, device=x.device)
    if lengths is not None:
        mask = mask | padding_mask(lengths, n)
    return masked_attention(Q, K, V, mask)
