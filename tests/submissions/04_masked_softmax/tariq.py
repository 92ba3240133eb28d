import torch

EPS = 1e-9


def causal_mask(n_queries, n_keys=None, device=None):
    if n_keys is None:
        n_keys = n_queries
    return torch.triu(torch.ones(n_queries, n_keys, device=device), diagonal=n_keys - n_queries + 1).bool()


def padding_mask(lengths, n_keys):
    keys = torch.arange(n_keys, device=lengths.device)
    return keys.view(1, 1, n_keys) >= lengths.view(-1, 1, 1)


def masked_softmax(scores, mask=None):
    if mask is None:
        return torch.softmax(scores, dim=-1)
    # hidden keys get (almost) nothing
    scores = scores.masked_fill(mask, EPS)
    weights = torch.softmax(scores, dim=-1)
    nothing_to_see = mask.all(dim=-1, keepdim=True)
    return weights.masked_fill(nothing_to_see, 0)


def masked_attention(Q, K, V, mask=None):
    d_k = Q.shape[-1]
    scores = Q.matmul(K.transpose(-1, -2)) / d_k**0.5
    weights = masked_softmax(scores, mask)
    return weights.matmul(V), weights


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    q, k, v = x.matmul(W_Q), x.matmul(W_K), x.matmul(W_V)
    T = x.shape[1]
    mask = torch.zeros(T, T, dtype=torch.bool, device=x.device)
    if causal:
        mask = mask | causal_mask(T, device=x.device)
    if lengths is not None:
        mask = mask | padding_mask(lengths, T)
    return masked_attention(q, k, v, mask)
