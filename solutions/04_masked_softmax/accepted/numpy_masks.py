# accepted: masks made with NumPy, learning code in PyTorch
import numpy as np
import torch


def causal_mask(n_queries, n_keys=None, device=None):
    n_keys = n_queries if n_keys is None else n_keys
    return torch.from_numpy(np.tri(n_queries, n_keys, n_keys - n_queries) == 0).to(device)


def padding_mask(lengths, n_keys):
    grid = np.arange(n_keys)[None, :] >= lengths.cpu().numpy()[:, None]
    return torch.as_tensor(grid[:, None, :]).to(lengths.device)


def masked_softmax(scores, mask=None):
    hidden = torch.zeros(1, dtype=torch.bool, device=scores.device) if mask is None else mask
    low = scores.masked_fill(hidden, -1e30)
    shifted = low - low.max(axis=-1, keepdims=True)[0]
    e = torch.exp(shifted) * ~hidden
    return e / torch.clamp(e.sum(axis=-1, keepdims=True), min=1e-12)


def masked_attention(Q, K, V, mask=None):
    scores = (Q / np.sqrt(Q.shape[-1]).item()) @ K.swapaxes(-1, -2)
    weights = masked_softmax(scores, mask)
    return weights @ V, weights


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    n = x.shape[1]
    hidden = torch.from_numpy(np.zeros((n, n), dtype=bool)).to(x.device)
    if causal:
        hidden = hidden | causal_mask(n, device=x.device)
    if lengths is not None:
        hidden = hidden | padding_mask(lengths, n)
    return masked_attention(x @ W_Q, x @ W_K, x @ W_V, hidden)
