# mistakes: score-no-scale, weights-transposed-before-mixing, mask-padding-on-query-axis
# masked_attention does not scale.
# masked_attention multiplies the transposed weights with V.
# self_attention hides padded query rows instead of padded keys.
import torch


def causal_mask(n_queries, n_keys=None, device=None):
    n_keys = n_queries if n_keys is None else n_keys
    return torch.triu(torch.ones(n_queries, n_keys, dtype=torch.bool, device=device), diagonal=n_keys - n_queries + 1)


def padding_mask(lengths, n_keys):
    return (torch.arange(n_keys, device=lengths.device)[None, :] >= lengths[:, None]).unsqueeze(1)


def masked_softmax(scores, mask=None):
    if mask is None:
        return torch.softmax(scores, dim=-1)
    scores = scores.masked_fill(mask, -1e9)
    return torch.softmax(scores, dim=-1).masked_fill(mask, 0.0)


def masked_attention(Q, K, V, mask=None):
    scores = Q @ K.transpose(-2, -1)
    weights = masked_softmax(scores, mask)
    return weights.transpose(-2, -1) @ V, weights


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    T = x.shape[1]
    mask = torch.zeros(1, T, T, dtype=torch.bool, device=x.device)
    if causal:
        mask = mask | causal_mask(T, device=x.device)
    if lengths is not None:
        mask = mask | padding_mask(lengths, T).transpose(1, 2)
    return masked_attention(x @ W_Q, x @ W_K, x @ W_V, mask)
