# mistakes: mask-padding-keeps-one-key
import torch


def causal_mask(n_queries, n_keys=None, device=None):
    n_keys = n_queries if n_keys is None else n_keys
    seen = torch.ones(n_queries, n_keys, device=device).tril(diagonal=n_keys - n_queries)
    return seen == 0


def padding_mask(lengths, n_keys):
    ids = torch.arange(n_keys, device=lengths.device)
    hidden = ids[None, None, :] >= lengths[:, None, None]
    hidden[:, :, 0] = False  # so that no row is all NaN
    return hidden


def masked_softmax(scores, mask=None):
    if mask is None:
        return torch.softmax(scores, dim=-1)
    mask = mask.expand(scores.shape)
    nothing = mask.all(dim=-1, keepdim=True)
    s = scores.masked_fill(mask, float("-inf")).masked_fill(nothing, 0.0)
    return torch.softmax(s, dim=-1).masked_fill(mask, 0.0)


def masked_attention(Q, K, V, mask=None):
    logits = torch.matmul(Q, K.transpose(-1, -2))
    logits = logits / Q.shape[-1] ** 0.5
    att = masked_softmax(logits, mask=mask)
    y = torch.matmul(att, V)
    return y, att


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    T = x.size(1)
    mask = None
    if causal:
        mask = causal_mask(T, device=x.device)
    if lengths is not None:
        pads = padding_mask(lengths, T)
        mask = pads if mask is None else mask | pads
    return masked_attention(x @ W_Q, x @ W_K, x @ W_V, mask)
