import torch


def causal_mask(n_queries, n_keys=None, device=None):
    n_keys = n_queries if n_keys is None else n_keys
    mask = torch.zeros(n_queries, n_keys, dtype=torch.bool, device=device)
    for i in range(n_queries):
        start = max(i + 1 + n_keys - n_queries, 0)
        mask[i, start:] = True
    return mask


def padding_mask(lengths, n_keys):
    mask = torch.zeros(len(lengths), 1, n_keys, dtype=torch.bool, device=lengths.device)
    for b in range(len(lengths)):
        mask[b, :, int(lengths[b]) :] = True
    return mask


def masked_softmax(scores, mask=None):
    if mask is not None:
        scores = torch.where(mask, float("-inf"), scores)
    w = torch.softmax(scores, dim=-1)
    if mask is not None:
        w = torch.where(mask, 0.0, w)
    return w


def masked_attention(Q, K, V, mask=None):
    # Aehnlichkeit jeder Query mit jedem Key
    similarity = torch.einsum("...id,...jd->...ij", Q, K)
    w = masked_softmax(similarity, mask)
    return torch.einsum("...ij,...jv->...iv", w, V), w


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    T = x.shape[1]
    hidden = torch.zeros(1, T, T, dtype=torch.bool, device=x.device)
    if causal:
        hidden = hidden | causal_mask(T, device=x.device)[None]
    if lengths is not None:
        hidden = hidden | padding_mask(lengths, T)
    return masked_attention(x @ W_Q, x @ W_K, x @ W_V, hidden)
