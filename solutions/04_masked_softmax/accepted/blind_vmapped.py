# accepted: torch.func.vmap over the batch in self_attention, nested functions
import torch
from torch.func import vmap


def causal_mask(n_queries, n_keys=None, device=None):
    n_keys = n_queries if n_keys is None else n_keys

    def hidden(i, j):
        return j > i + n_keys - n_queries

    return hidden(torch.arange(n_queries, device=device).unsqueeze(1), torch.arange(n_keys, device=device).unsqueeze(0))


def padding_mask(lengths, n_keys):
    keys = torch.arange(n_keys, device=lengths.device)
    return vmap(lambda n: keys >= n)(lengths).unsqueeze(1) if lengths.numel() else keys.new_zeros((0, 1, n_keys), dtype=torch.bool)


def masked_softmax(scores, mask=None):
    if mask is None:
        return torch.softmax(scores, -1)
    return torch.softmax(scores.masked_fill(mask, -1e9), -1).masked_fill(mask, 0.0)


def masked_attention(Q, K, V, mask=None):
    weights = masked_softmax(Q @ K.transpose(-2, -1) * Q.shape[-1] ** -0.5, mask)
    return weights @ V, weights


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    B, n = x.shape[:2]
    mask = torch.zeros(B, n, n, dtype=torch.bool, device=x.device)
    if causal:
        mask = mask | causal_mask(n, device=x.device)
    if lengths is not None:
        mask = mask | padding_mask(lengths, n)

    def one(sample, hidden):
        return masked_attention(sample @ W_Q, sample @ W_K, sample @ W_V, hidden)

    if B == 0:
        return masked_attention(x @ W_Q, x @ W_K, x @ W_V, mask)
    return vmap(one)(x, mask)
