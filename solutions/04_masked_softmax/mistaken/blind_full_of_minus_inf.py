# mistakes: mask-causal-returned-as-numbers
# causal_mask returns a float matrix of 0 and -inf to be added, not a boolean one.
import torch


def causal_mask(n_queries, n_keys=None, device=None):
    n_keys = n_queries if n_keys is None else n_keys
    mask = torch.full((n_queries, n_keys), float("-inf"), device=device)
    return torch.triu(mask, diagonal=n_keys - n_queries + 1)


def padding_mask(lengths, n_keys):
    ar = torch.arange(n_keys, device=lengths.device)
    return ar.ge(lengths.unsqueeze(-1)).unsqueeze(-2)


def masked_softmax(scores, mask=None):
    if mask is None:
        return torch.softmax(scores, dim=-1)
    scores = scores.masked_fill(mask, torch.finfo(scores.dtype).min)
    return torch.softmax(scores, dim=-1).masked_fill(mask, 0)


def masked_attention(Q, K, V, mask=None):
    weights = masked_softmax(Q @ K.transpose(-2, -1) / Q.size(-1) ** 0.5, mask)
    return weights @ V, weights


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    T = x.size(1)
    mask = torch.zeros(T, T, dtype=torch.bool, device=x.device)
    if causal:
        mask = causal_mask(T, device=x.device) < 0
    if lengths is not None:
        mask = mask | padding_mask(lengths, T)
    return masked_attention(x @ W_Q, x @ W_K, x @ W_V, mask)
