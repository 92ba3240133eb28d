import torch
import torch.nn.functional as F


def causal_mask(n_queries, n_keys=None, device=None):
    if n_keys is None:
        n_keys = n_queries
    grid = torch.cartesian_prod(torch.arange(n_queries), torch.arange(n_keys))
    i, j = grid[:, 0], grid[:, 1]
    return (j > i + n_keys - n_queries).reshape(n_queries, n_keys).to(device)


def padding_mask(lengths, n_keys):
    out = []
    for length in lengths:
        out.append([[j >= int(length) for j in range(n_keys)]])
    return torch.tensor(out, dtype=torch.bool, device=lengths.device).reshape(-1, 1, n_keys)


def masked_softmax(scores, mask=None):
    weights = F.softmax(scores, dim=-1)
    if mask is not None:
        weights = weights * torch.logical_not(mask)
    return weights


def masked_attention(Q, K, V, mask=None):
    dots = (Q.unsqueeze(-2) * K.unsqueeze(-3)).sum(-1)
    weights = masked_softmax(dots, mask)
    return weights @ V, weights


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    T = x.shape[1]
    mask = torch.zeros(T, T, dtype=torch.bool, device=x.device)
    if causal:
        mask = mask | causal_mask(T, device=x.device)
    if lengths is not None:
        mask = mask | padding_mask(lengths, T)
    return masked_attention(x @ W_Q, x @ W_K, x @ W_V, mask)
