# mistakes: argument-changed-in-place
# masked_softmax writes -inf into the caller's scores.
import torch


def causal_mask(n_queries, n_keys=None, device=None):
    n_keys = n_queries if n_keys is None else n_keys
    return torch.triu(torch.ones(n_queries, n_keys), 1 + n_keys - n_queries).to(torch.bool).to(device or "cpu")


def padding_mask(lengths, n_keys):
    return (torch.arange(n_keys, device=lengths.device).unsqueeze(0) >= lengths.unsqueeze(1)).unsqueeze(1)


def masked_softmax(scores, mask=None):
    if mask is None:
        return torch.softmax(scores, -1)
    hidden = mask.expand_as(scores)
    scores[hidden] = -1e9
    weights = torch.softmax(scores, -1)
    return weights.masked_fill(hidden, 0.0)


def masked_attention(Q, K, V, mask=None):
    sim = Q @ K.transpose(-2, -1)
    sim = sim * (Q.size(-1) ** -0.5)
    weights = masked_softmax(sim, mask)
    return weights @ V, weights


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    n = x.size(1)
    mask = torch.zeros(x.size(0), n, n, dtype=torch.bool, device=x.device)
    if causal:
        mask |= causal_mask(n, device=x.device)
    if lengths is not None:
        mask |= padding_mask(lengths, n)
    return masked_attention(x @ W_Q, x @ W_K, x @ W_V, mask)
