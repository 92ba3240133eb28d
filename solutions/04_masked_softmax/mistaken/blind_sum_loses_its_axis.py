# mistakes: softmax-missing-keepdims
# masked_softmax divides by the row sums without keeping their axis, so they line up with the keys.
import math
import torch


def causal_mask(n_queries, n_keys=None, device=None):
    n_keys = n_queries if n_keys is None else n_keys
    return torch.tril(torch.ones(n_queries, n_keys, device=device), n_keys - n_queries) < 0.5


def padding_mask(lengths, n_keys):
    return torch.arange(n_keys, device=lengths.device)[None, None, :].ge(lengths[:, None, None])


def masked_softmax(scores, mask=None):
    if mask is None:
        mask = torch.zeros_like(scores).bool()
    s = scores.masked_fill(mask, -1e9)
    exps = torch.exp(s - s.max(dim=-1, keepdim=True)[0])
    exps = exps.masked_fill(mask, 0.0)
    total = exps.sum(dim=-1)
    total = total.masked_fill(total == 0, 1.0)
    return exps / total


def masked_attention(Q, K, V, mask=None):
    a = masked_softmax(Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1]), mask)
    return a @ V, a


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    T = x.shape[1]
    m = torch.zeros(x.shape[0], T, T, dtype=torch.bool, device=x.device)
    if causal:
        m = m | causal_mask(T, device=x.device)
    if lengths is not None:
        m = m | padding_mask(lengths, T)
    return masked_attention(x @ W_Q, x @ W_K, x @ W_V, m)
