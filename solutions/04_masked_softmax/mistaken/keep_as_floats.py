# mistakes: mask-after-softmax-no-renormalise, mask-added-in-float32
import torch


def causal_mask(n_queries, n_keys=None, device=None):
    n_keys = n_queries if n_keys is None else n_keys
    rows = torch.arange(n_queries, device=device).unsqueeze(-1)
    return torch.arange(n_keys, device=device) - rows > n_keys - n_queries


def padding_mask(lengths, n_keys):
    return torch.arange(n_keys, device=lengths.device) >= lengths.view(-1, 1, 1)


def masked_softmax(scores, mask=None):
    weights = scores.softmax(-1)
    if mask is None:
        return weights
    keep = 1.0 - mask.float()
    return weights * keep


def masked_attention(Q, K, V, mask=None):
    weights = masked_softmax(Q @ K.mT * Q.size(-1) ** -0.5, mask)
    return weights @ V, weights


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    n = x.size(1)
    hidden = torch.zeros(1, n, n, dtype=torch.bool, device=x.device)
    if causal:
        hidden = hidden | causal_mask(n, device=x.device)
    if lengths is not None:
        hidden = hidden | padding_mask(lengths, n)
    return masked_attention(x @ W_Q, x @ W_K, x @ W_V, hidden)
