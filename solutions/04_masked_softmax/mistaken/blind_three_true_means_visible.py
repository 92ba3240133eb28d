# mistakes: mask-polarity-flipped
# causal_mask returns True where a key may be seen.
# padding_mask returns True for real keys.
# masked_softmax keeps what is True.
import math
import torch


def causal_mask(n_queries, n_keys=None, device=None):
    n_keys = n_queries if n_keys is None else n_keys
    return torch.tril(torch.ones(n_queries, n_keys, dtype=torch.bool, device=device), diagonal=n_keys - n_queries)


def padding_mask(lengths, n_keys):
    return (torch.arange(n_keys, device=lengths.device)[None, :] < lengths[:, None]).unsqueeze(1)


def masked_softmax(scores, mask=None):
    if mask is None:
        return torch.softmax(scores, dim=-1)
    scores = scores.masked_fill(mask == 0, -1e9)
    return torch.softmax(scores, dim=-1).masked_fill(mask == 0, 0.0)


def masked_attention(Q, K, V, mask=None):
    weights = masked_softmax(Q @ K.transpose(-2, -1) / math.sqrt(Q.size(-1)), mask)
    return weights @ V, weights


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    T = x.size(1)
    mask = torch.ones(1, T, T, dtype=torch.bool, device=x.device)
    if causal:
        mask = mask & causal_mask(T, device=x.device)
    if lengths is not None:
        mask = mask & padding_mask(lengths, T)
    return masked_attention(x @ W_Q, x @ W_K, x @ W_V, mask)
