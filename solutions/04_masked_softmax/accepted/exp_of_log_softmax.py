# accepted: exp of log_softmax, empty rows opened and closed again
import torch
import torch.nn.functional as F


def causal_mask(n_queries, n_keys=None, device=None):
    if n_keys is None:
        n_keys = n_queries
    rows, cols = torch.meshgrid(
        torch.arange(n_queries, device=device), torch.arange(n_keys, device=device), indexing="ij"
    )
    return cols > rows + (n_keys - n_queries)


def padding_mask(lengths, n_keys):
    ones = torch.ones(len(lengths), n_keys, dtype=torch.int64, device=lengths.device)
    return (ones.cumsum(-1) > lengths[:, None]).unsqueeze(-2)


def masked_softmax(scores, mask=None):
    if mask is None:
        return F.log_softmax(scores, dim=-1).exp()
    nothing = mask.all(-1, keepdim=True).expand(*mask.shape[:-1], 1)
    opened = mask & ~nothing
    log_weights = F.log_softmax(scores.masked_fill(opened, -torch.inf), dim=-1)
    return log_weights.exp().masked_fill(mask, 0.0)


def masked_attention(Q, K, V, mask=None):
    root = Q.shape[-1] ** 0.25
    weights = masked_softmax((Q / root) @ (K / root).transpose(-2, -1), mask)
    return torch.matmul(weights, V), weights


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    T = x.shape[1]
    hidden = torch.zeros(T, T, dtype=torch.bool, device=x.device)
    if causal:
        hidden |= causal_mask(T, device=x.device)
    hidden = hidden.unsqueeze(0)
    if lengths is not None:
        hidden = hidden + padding_mask(lengths, T)
    return masked_attention(x.matmul(W_Q), x.matmul(W_K), x.matmul(W_V), hidden)
