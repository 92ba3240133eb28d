# mistakes: autograd-cut
# masked_softmax goes through NumPy, so no gradient reaches the scores.
import numpy as np
import torch


def causal_mask(n_queries, n_keys=None, device=None):
    n_keys = n_queries if n_keys is None else n_keys
    m = np.triu(np.ones((n_queries, n_keys), dtype=bool), k=1 + n_keys - n_queries)
    return torch.as_tensor(m, device=device)


def padding_mask(lengths, n_keys):
    arr = np.arange(n_keys)[None, None, :] >= lengths.cpu().numpy()[:, None, None]
    return torch.as_tensor(arr, device=lengths.device)


def masked_softmax(scores, mask=None):
    s = scores.detach().cpu().double().numpy()
    hide = np.zeros(s.shape, dtype=bool) if mask is None else np.broadcast_to(mask.cpu().numpy(), s.shape)
    s = np.where(hide, -np.inf, s)
    top = s.max(axis=-1, keepdims=True)
    top[np.isinf(top)] = 0
    e = np.exp(s - top)
    z = e.sum(axis=-1, keepdims=True)
    z[z == 0] = 1
    return torch.from_numpy(e / z).to(scores)


def masked_attention(Q, K, V, mask=None):
    scores = Q @ K.transpose(-2, -1) / float(np.sqrt(Q.shape[-1]))
    w = masked_softmax(scores, mask)
    return w @ V, w


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    T = x.shape[1]
    mask = torch.zeros(T, T, dtype=torch.bool, device=x.device)
    if causal:
        mask = mask | causal_mask(T, device=x.device)
    if lengths is not None:
        mask = mask | padding_mask(lengths, T)
    return masked_attention(x @ W_Q, x @ W_K, x @ W_V, mask)
