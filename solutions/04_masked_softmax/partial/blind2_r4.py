# may lose: test_early_queries_without_keys_see_nothing
import torch
from torch import Tensor


def causal_mask(n_queries, n_keys=None, device=None):
    n = n_queries if n_keys is None else n_keys
    return torch.ones(n, n, device=device).triu(1)[-n_queries:].to(torch.bool)


def padding_mask(lengths, n_keys):
    choices = torch.stack([torch.arange(n_keys, device=lengths.device) >= L for L in range(n_keys + 1)])
    return choices[lengths.long()].unsqueeze(-2)


def masked_softmax(scores, mask=None):
    if mask is None:
        mask = torch.tensor(False, device=scores.device)
    low = scores.masked_fill(mask, torch.finfo(scores.dtype).min)
    low = low - low.amax(-1, keepdim=True)
    return torch.exp(low - torch.logsumexp(low, dim=-1, keepdim=True)).masked_fill(mask, 0)


def masked_attention(Q, K, V, mask=None):
    if Q.dim() > 2 and Q.shape[0]:
        if mask is None:
            masks = [None] * len(Q)
        elif mask.dim() == Q.dim() and len(mask) > 1:
            masks = list(mask)
        elif mask.dim() == Q.dim():
            masks = [mask[0]] * len(Q)
        else:
            masks = [mask] * len(Q)
        both = [masked_attention(q, k, v, m) for q, k, v, m in zip(Q, K, V, masks)]
        return torch.stack([output for output, _ in both]), torch.stack([weights for _, weights in both])
    weights = masked_softmax(Q @ K.transpose(-2, -1) / Q.shape[-1] ** 0.5, mask)
    return weights @ V, weights


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    T = x.shape[1]
    mask = torch.zeros(1, 1, T, dtype=torch.bool, device=x.device)
    if lengths is not None:
        mask = padding_mask(lengths, T)
    if causal:
        mask = mask | causal_mask(T, device=x.device)
    return masked_attention(x @ W_Q, x @ W_K, x @ W_V, mask)
