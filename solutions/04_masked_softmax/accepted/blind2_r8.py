# accepted: in its own way
import torch
from torch import Tensor


def causal_mask(n_queries, n_keys=None, device=None, n_k=None):
    n_k = n_keys or n_queries
    return torch.stack([torch.arange(n_k, device=device) - n_k + back >= 0 for back in reversed(range(n_queries))])


def padding_mask(lengths, n_keys):
    template = torch.cat([torch.zeros(n_keys), torch.ones(n_keys)]).bool().to(lengths.device)
    windows = template.unfold(0, n_keys, 1)
    return windows[n_keys - lengths.to(torch.int64), None]


def masked_softmax(scores, mask=None, dim=-1):
    def safe(x):
        x = x - x.max(dim=dim, keepdim=True).values
        x = torch.exp(x)
        return x / x.sum(dim=dim, keepdim=True)

    if mask is None:
        return safe(scores)
    blind = mask.all(dim=dim, keepdim=True)
    filled = torch.where(blind, torch.zeros_like(scores), scores.masked_fill(mask, -torch.inf))
    return safe(filled).masked_fill(mask | blind, 0)


def masked_attention(Q, K, V, mask=None):
    scale = Q.shape[-1] ** 0.5
    columns = [(Q * K[..., j : j + 1, :]).sum(-1) / scale for j in range(K.shape[-2])]
    weights = masked_softmax(torch.stack(columns, dim=-1), mask)
    output = sum(weights[..., j : j + 1] * V[..., j : j + 1, :] for j in range(V.shape[-2]))
    return output, weights


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    n_tokens = x.shape[1]
    hide = torch.zeros(len(x), n_tokens, n_tokens, dtype=torch.bool, device=x.device)
    if causal:
        for t in range(n_tokens):
            hide[:, t, t + 1 :] = True
    if lengths is not None:
        for b, length in enumerate(lengths):
            hide[b, :, length:] = True
    return masked_attention(x @ W_Q, x @ W_K, x @ W_V, mask=hide)
