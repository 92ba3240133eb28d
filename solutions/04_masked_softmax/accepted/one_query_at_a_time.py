# accepted: queries one by one, concatenated
import torch


def causal_mask(n_queries, n_keys=None, device=None):
    if n_keys is None:
        n_keys = n_queries
    return torch.tensor(
        [[j > i + n_keys - n_queries for j in range(n_keys)] for i in range(n_queries)], dtype=torch.bool, device=device
    )


def padding_mask(lengths, n_keys):
    rows = [[[j >= n for j in range(n_keys)]] for n in lengths.tolist()]
    return torch.tensor(rows, dtype=torch.bool, device=lengths.device).reshape(-1, 1, n_keys)


def softmax_of_row(row, hidden):
    filled = row.masked_fill(hidden, -torch.inf)
    empty = hidden.all(-1, keepdim=True)
    return filled.masked_fill(empty, 0).softmax(-1).masked_fill(empty, 0)


def masked_softmax(scores, mask=None):
    mask = torch.zeros_like(scores, dtype=torch.bool) if mask is None else mask.broadcast_to(scores.shape)
    rows = [softmax_of_row(scores[..., i, :], mask[..., i, :]) for i in range(scores.shape[-2])]
    return torch.stack(rows, dim=-2)


def masked_attention(Q, K, V, mask=None):
    scores = torch.stack([(Q[..., i, None, :] * K).sum(-1) for i in range(Q.shape[-2])], dim=-2)
    weights = masked_softmax(scores * Q.shape[-1] ** -0.5, mask)
    return weights @ V, weights


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    T = x.shape[1]
    hidden = torch.zeros(x.shape[0], T, T, dtype=torch.bool, device=x.device)
    if causal:
        hidden = hidden | causal_mask(T, device=x.device)
    if lengths is not None:
        hidden = hidden | padding_mask(lengths, T)
    return masked_attention(x @ W_Q, x @ W_K, x @ W_V, hidden)
