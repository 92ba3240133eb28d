# mistakes: mask-transposed
import torch


def causal_mask(n_queries, n_keys=None, device=None):
    if n_keys is None:
        n_keys = n_queries
    future = [[j > i + n_keys - n_queries for j in range(n_keys)] for i in range(n_queries)]
    return torch.tensor(future, dtype=torch.bool, device=device)


def padding_mask(lengths, n_keys):
    steps = torch.arange(n_keys, device=lengths.device).repeat(lengths.shape[0], 1)
    return torch.ge(steps, lengths[:, None]).view(-1, 1, n_keys)


def masked_softmax(scores, mask=None):
    if mask is None:
        return torch.softmax(scores, dim=-1)
    keys_by_queries = mask.mT
    filled = torch.where(keys_by_queries, torch.tensor(-1e9, dtype=scores.dtype, device=scores.device), scores)
    return torch.softmax(filled, dim=-1) * (~keys_by_queries)


def masked_attention(Q, K, V, mask=None):
    logits = torch.matmul(Q, K.transpose(-1, -2))
    logits = logits / Q.shape[-1] ** 0.5
    att = masked_softmax(logits, mask=mask)
    y = torch.matmul(att, V)
    return y, att


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    queries, keys, values = (torch.einsum("btm,md->btd", x, W) for W in (W_Q, W_K, W_V))
    n = x.shape[1]
    hide = torch.zeros(1, n, n, dtype=torch.bool, device=x.device)
    if causal:
        hide = torch.logical_or(hide, causal_mask(n, device=x.device))
    if lengths is not None:
        hide = torch.logical_or(hide, padding_mask(lengths, n))
    return masked_attention(queries, keys, values, mask=hide)
