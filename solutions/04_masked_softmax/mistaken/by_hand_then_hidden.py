# mistakes: mask-after-softmax-no-renormalise
import torch


def causal_mask(n_queries, n_keys=None, device=None):
    if n_keys is None:
        n_keys = n_queries
    return torch.triu(torch.ones(n_queries, n_keys, device=device), diagonal=n_keys - n_queries + 1).bool()


def padding_mask(lengths, n_keys):
    return torch.arange(n_keys, device=lengths.device).view(1, 1, -1) >= lengths.view(-1, 1, 1)


def masked_softmax(scores, mask=None):
    z = scores - torch.max(scores, dim=-1, keepdim=True)[0]
    numerator = torch.exp(z)
    denominator = torch.sum(numerator, dim=-1, keepdim=True)
    out = numerator / denominator
    return out if mask is None else torch.where(mask, torch.zeros_like(out), out)


def masked_attention(Q, K, V, mask=None):
    scores = torch.einsum("...id,...jd->...ij", Q, K) * Q.shape[-1] ** -0.5
    attn = masked_softmax(scores, mask)
    out = torch.einsum("...ij,...jv->...iv", attn, V)
    return out, attn


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    q, k, v = x @ W_Q, x @ W_K, x @ W_V
    n = x.size(1)
    mask = causal_mask(n, n, x.device) if causal else None
    if lengths is not None:
        pad = padding_mask(lengths, n)
        mask = pad if mask is None else mask | pad
    return masked_attention(q, k, v, mask)
