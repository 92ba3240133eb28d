# mistakes: score-scale-by-sequence-length
# masked_attention scales by the root of the size of axis 1 (n_queries for a batch of matrices), not of d_k.
import torch


def causal_mask(n_queries, n_keys=None, device=None):
    n_keys = n_queries if n_keys is None else n_keys
    mask = torch.full((n_queries, n_keys), True, device=device)
    return mask.triu(diagonal=n_keys - n_queries + 1)


def padding_mask(lengths, n_keys):
    mask = torch.zeros(lengths.shape[0], 1, n_keys, dtype=torch.bool, device=lengths.device)
    for b, length in enumerate(lengths.tolist()):
        mask[b, :, length:] = True
    return mask


def masked_softmax(scores, mask=None):
    if mask is None:
        return torch.nn.functional.softmax(scores, dim=-1)
    return torch.nn.functional.softmax(scores.masked_fill(mask, -1e30), dim=-1).masked_fill(mask, 0)


def masked_attention(Q, K, V, mask=None):
    dk = Q.size(1)
    scores = Q @ K.transpose(-2, -1)
    scores = scores / dk ** 0.5
    attention = masked_softmax(scores, mask)
    return attention @ V, attention


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    L = x.size(1)
    mask = torch.zeros(L, L, dtype=torch.bool, device=x.device)
    if causal:
        mask = causal_mask(L, L, x.device)
    if lengths is not None:
        mask = mask | padding_mask(lengths, L)
    return masked_attention(x @ W_Q, x @ W_K, x @ W_V, mask)
