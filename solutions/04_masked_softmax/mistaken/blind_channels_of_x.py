# mistakes: score-scale-by-model-width
# self_attention scales by the root of d_model, not of d_k.
import math
import torch


def causal_mask(n_queries, n_keys=None, device=None):
    n_keys = n_queries if n_keys is None else n_keys
    i, j = torch.meshgrid(torch.arange(n_queries, device=device), torch.arange(n_keys, device=device), indexing="ij")
    return j - i > n_keys - n_queries


def padding_mask(lengths, n_keys):
    return torch.stack([torch.arange(n_keys, device=lengths.device) >= n for n in lengths])[:, None] if len(lengths) else \
        torch.zeros(0, 1, n_keys, dtype=torch.bool, device=lengths.device)


def masked_softmax(scores, mask=None):
    if mask is None:
        mask = torch.zeros(scores.shape, dtype=torch.bool, device=scores.device)
    attn = (scores + torch.zeros_like(scores).masked_fill(mask, -1e9)).softmax(-1)
    return attn.masked_fill(mask, 0.0)


def masked_attention(Q, K, V, mask=None):
    attn = masked_softmax(Q @ K.transpose(-2, -1) / math.sqrt(K.shape[-1]), mask)
    return attn @ V, attn


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    B, T, C = x.shape
    q = x @ W_Q
    k = x @ W_K
    v = x @ W_V
    wei = q @ k.transpose(-2, -1) * C ** -0.5
    mask = torch.zeros(B, T, T, dtype=torch.bool, device=x.device)
    if causal:
        mask = mask | causal_mask(T, device=x.device)
    if lengths is not None:
        mask = mask | padding_mask(lengths, T)
    wei = masked_softmax(wei, mask)
    return wei @ v, wei
