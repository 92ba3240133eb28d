# mistakes: mask-padding-hides-queries-too
# self_attention sets the output of padded queries to zero.
import torch
from torch.nn.functional import softmax


def causal_mask(n_queries, n_keys=None, device=None):
    n_keys = n_queries if n_keys is None else n_keys
    visible = torch.tril(torch.ones(n_queries, n_keys, device=device), diagonal=n_keys - n_queries)
    return visible == 0


def padding_mask(lengths, n_keys):
    valid = torch.arange(n_keys, device=lengths.device)[None, :] < lengths[:, None]
    return valid[:, None, :] == False  # noqa: E712


def masked_softmax(scores, mask=None):
    if mask is None:
        return softmax(scores, dim=-1)
    return softmax(scores.masked_fill(mask, -1e9), dim=-1) * ~mask


def masked_attention(Q, K, V, mask=None):
    weights = masked_softmax(Q @ K.transpose(-2, -1) / Q.shape[-1] ** 0.5, mask)
    return weights @ V, weights


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    B, T, _ = x.shape
    mask = torch.zeros(B, T, T, dtype=torch.bool, device=x.device)
    if causal:
        mask = mask | causal_mask(T, device=x.device)
    if lengths is not None:
        mask = mask | padding_mask(lengths, T)
    output, weights = masked_attention(x @ W_Q, x @ W_K, x @ W_V, mask)
    if lengths is not None:
        # padded positions should not produce anything
        real = torch.arange(T, device=x.device)[None, :] < lengths[:, None]
        output = output * real.unsqueeze(-1)
    return output, weights
