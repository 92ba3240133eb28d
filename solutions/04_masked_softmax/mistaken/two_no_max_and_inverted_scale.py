# mistakes: softmax-no-max-subtraction, score-scale-inverted
import torch


def causal_mask(n_queries, n_keys=None, device=None):
    n_keys = n_queries if n_keys is None else n_keys
    i = torch.arange(n_queries, device=device).unsqueeze(1)
    j = torch.arange(n_keys, device=device).unsqueeze(0)
    offset = n_keys - n_queries
    return j > i + offset


def padding_mask(lengths, n_keys):
    valid = torch.arange(n_keys, device=lengths.device) < lengths.unsqueeze(1)
    return ~valid[:, None, :]


def masked_softmax(scores, mask=None):
    e = scores.exp()
    e = e if mask is None else torch.where(mask, torch.zeros_like(e), e)
    s = e.sum(-1, keepdim=True)
    return e / s.masked_fill(s == 0, 1.0)


def masked_attention(Q, K, V, mask=None):
    scores = (Q @ K.transpose(-2, -1)) * Q.shape[-1] ** 0.5
    weights = masked_softmax(scores, mask)
    return weights @ V, weights


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    T = x.shape[1]
    mask = torch.zeros(T, T, dtype=torch.bool, device=x.device)
    if causal:
        mask = mask | causal_mask(T, device=x.device)
    if lengths is not None:
        mask = mask | padding_mask(lengths, T)
    return masked_attention(x @ W_Q, x @ W_K, x @ W_V, mask)
