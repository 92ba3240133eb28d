# may lose: test_large_hidden_scores_do_not_disturb_visible_ones
import torch
import torch.nn.functional as F


def causal_mask(n_queries, n_keys=None, device=None):
    if n_keys is None:
        n_keys = n_queries
    return torch.triu(torch.ones(n_queries, n_keys, device=device), diagonal=n_keys - n_queries + 1).bool()


def padding_mask(lengths, n_keys):
    mask = torch.zeros(lengths.shape[0], 1, n_keys, dtype=torch.bool, device=lengths.device)
    for b in range(lengths.shape[0]):
        mask[b, :, int(lengths[b]):] = True
    return mask


def masked_softmax(scores, mask=None):
    probs = F.softmax(scores, dim=-1)
    if mask is None:
        return probs
    probs = probs.masked_fill(mask, 0.0)
    left = probs.sum(dim=-1, keepdim=True)
    return probs / torch.where(left > 0, left, torch.ones_like(left))


def masked_attention(Q, K, V, mask=None):
    scores = torch.einsum("...id,...jd->...ij", Q, K) * Q.shape[-1] ** -0.5
    attn = masked_softmax(scores, mask)
    out = torch.einsum("...ij,...jv->...iv", attn, V)
    return out, attn


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    T = x.shape[1]
    mask = torch.zeros(T, T, dtype=torch.bool, device=x.device)
    if causal:
        mask = mask | causal_mask(T, device=x.device)
    if lengths is not None:
        mask = mask | padding_mask(lengths, T)
    return masked_attention(x @ W_Q, x @ W_K, x @ W_V, mask)
