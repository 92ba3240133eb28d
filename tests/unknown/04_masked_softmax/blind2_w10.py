# named: softmax-result-left-in-float32
# masked_softmax: rows with everything hidden (-inf added) are mended with nan_to_num after the softmax, their gradients are NaN; masked_softmax: computes in float32 and does not go back to the dtype of the scores
import torch
from torch import Tensor


def causal_mask(n_queries, n_keys=None, device=None):
    n_keys = n_queries if n_keys is None else n_keys
    return torch.ones(n_queries, n_keys, device=device).triu(n_keys - n_queries + 1) == 1


def padding_mask(lengths, n_keys):
    return torch.arange(n_keys, device=lengths.device).expand(len(lengths), 1, n_keys) >= lengths.reshape(-1, 1, 1)


def masked_softmax(scores, mask=None):
    s = scores.to(torch.float32)
    if mask is not None:
        minus = torch.zeros(mask.shape, device=s.device)
        minus[mask] = -float("inf")
        s = s + minus
    return torch.nan_to_num(torch.softmax(s, dim=-1))


def attend(q, k, v, hidden):
    s = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
    if hidden is None:
        p = s.softmax(dim=-1)
    else:
        p = s.masked_fill(hidden, torch.finfo(s.dtype).min).softmax(dim=-1).masked_fill(hidden, 0)
    return p @ v, p


def masked_attention(Q, K, V, mask=None):
    return attend(Q, K, V, mask)


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    n = x.shape[1]
    hidden = causal_mask(n, device=x.device) & causal
    if lengths is not None:
        hidden = hidden | padding_mask(lengths, n)
    return attend(x @ W_Q, x @ W_K, x @ W_V, hidden)
