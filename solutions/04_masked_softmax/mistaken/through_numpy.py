# mistakes: autograd-cut
import numpy as np
import torch


def causal_mask(n_queries, n_keys=None, device=None):
    if n_keys is None:
        n_keys = n_queries
    mask = torch.zeros(n_queries, n_keys, dtype=torch.bool, device=device)
    for i in range(n_queries):
        for j in range(n_keys):
            mask[i, j] = j > i + n_keys - n_queries
    return mask


def padding_mask(lengths, n_keys):
    mask = torch.zeros(lengths.shape[0], 1, n_keys, dtype=torch.bool, device=lengths.device)
    for b in range(lengths.shape[0]):
        mask[b, :, int(lengths[b]):] = True
    return mask


def masked_softmax(scores, mask=None):
    s = scores.detach().cpu().double().numpy()
    if mask is not None:
        s = np.where(mask.cpu().numpy(), -np.inf, s)
    m = s.max(axis=-1, keepdims=True)
    m = np.where(np.isinf(m), 0.0, m)
    e = np.exp(s - m)
    total = e.sum(axis=-1, keepdims=True)
    weights = e / np.where(total == 0, 1.0, total)
    return torch.from_numpy(weights).to(scores)


def masked_attention(Q, K, V, mask=None):
    d_k = K.shape[-1]
    attn = masked_softmax(torch.matmul(Q / d_k ** 0.5, K.transpose(-1, -2)), mask)
    return torch.matmul(attn, V), attn


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    B, T, _ = x.shape
    hidden = torch.zeros(B, T, T, dtype=torch.bool, device=x.device)
    if causal:
        hidden = torch.logical_or(hidden, causal_mask(T, device=x.device))
    if lengths is not None:
        hidden = torch.logical_or(hidden, padding_mask(lengths, T))
    output, weights = masked_attention(torch.matmul(x, W_Q), torch.matmul(x, W_K), torch.matmul(x, W_V), hidden)
    return output, weights
