import math
import torch


def _bias(mask, like):
    """0 donde se puede mirar, un numero enorme y negativo donde no."""
    low = torch.finfo(like.dtype).min / 2
    return torch.zeros(mask.shape, dtype=like.dtype, device=like.device).masked_fill(mask, low)


def causal_mask(n_queries, n_keys=None, device=None):
    n_keys = n_keys or n_queries
    allowed = torch.ones((n_queries, n_keys), device=device).tril(n_keys - n_queries)
    return allowed == 0


def padding_mask(lengths, n_keys):
    B = lengths.shape[0]
    pos = torch.arange(n_keys, device=lengths.device).repeat(B, 1)
    return (pos >= lengths.view(B, 1)).view(B, 1, n_keys)


def masked_softmax(scores, mask=None):
    if mask is None:
        return torch.softmax(scores, dim=-1)
    w = torch.softmax(scores + _bias(mask, scores), dim=-1)
    # una fila sin ninguna llave visible queda en cero
    return w * (~mask).to(w.dtype)


def masked_attention(Q, K, V, mask=None):
    # escalo Q antes del producto, da lo mismo
    w = masked_softmax(torch.matmul(Q / math.sqrt(Q.shape[-1]), K.transpose(-1, -2)), mask)
    return torch.matmul(w, V), w


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    T = x.shape[-2]
    masks = []
    if causal:
        masks.append(causal_mask(T, device=x.device).unsqueeze(0))
    if lengths is not None:
        masks.append(padding_mask(lengths, T))
    mask = None
    for m in masks:
        mask = m if mask is None else torch.logical_or(mask, m)
    Q, K, V = (torch.matmul(x, W) for W in (W_Q, W_K, W_V))
    return masked_attention(Q, K, V, mask)
