# accepted: one product for Q, K and V, scale folded into W_Q
import torch


def causal_mask(n_queries, n_keys=None, device=None):
    n_keys = n_queries if n_keys is None else n_keys
    square = max(n_queries, n_keys)
    i = torch.arange(square, device=device)
    full = i[None, :] > i[:, None]
    if n_keys >= n_queries:
        return full[n_keys - n_queries:n_keys, :n_keys]
    top = torch.ones(n_queries - n_keys, n_keys, dtype=torch.bool, device=device)
    return torch.cat([top, full[:n_keys, :n_keys]])


def padding_mask(lengths, n_keys):
    return torch.vstack([torch.arange(n_keys, device=lengths.device)]).ge(lengths[:, None]).unsqueeze(-2)


def masked_softmax(scores, mask=None):
    if mask is not None:
        scores = torch.where(mask, -1e9, scores)
    weights = torch.softmax(scores, -1)
    return weights if mask is None else torch.where(mask, 0.0, weights)


def masked_attention(Q, K, V, mask=None):
    weights = masked_softmax(Q @ K.transpose(-2, -1) / Q.shape[-1] ** 0.5, mask)
    return weights @ V, weights


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    T = x.shape[1]
    d_k, d_v = W_Q.shape[1], W_V.shape[1]
    packed = x @ torch.cat([W_Q / d_k ** 0.5, W_K, W_V], dim=1)
    Q, K, V = packed.split([d_k, d_k, d_v], dim=-1)
    mask = torch.zeros(1, T, T, dtype=torch.bool, device=x.device)
    if causal:
        mask = mask | causal_mask(T, device=x.device)
    if lengths is not None:
        mask = mask | padding_mask(lengths, T)
    weights = masked_softmax(Q @ K.mT, mask)
    return weights @ V, weights
