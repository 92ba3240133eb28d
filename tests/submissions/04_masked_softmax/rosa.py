import torch
import torch.nn.functional as F
from math import sqrt


def causal_mask(n_queries, n_keys=None, device=None):
    n_keys = n_queries if n_keys is None else n_keys
    allowed = torch.ones(n_queries, n_keys, dtype=torch.bool, device=device).tril(n_keys - n_queries)
    return ~allowed


def padding_mask(lengths, n_keys):
    # una riga per ogni token: i token di padding (dopo la fine della frase) sono nascosti
    token = torch.arange(n_keys, device=lengths.device)
    is_pad = token.unsqueeze(0) >= lengths.unsqueeze(1)      # (B, n)
    return is_pad.unsqueeze(2)


def masked_softmax(scores, mask=None):
    if mask is None:
        return F.softmax(scores, dim=-1)
    hidden = torch.broadcast_to(mask, scores.shape)
    w = F.softmax(scores.masked_fill(hidden, float("-inf")), dim=-1)
    return w.masked_fill(hidden, 0.0)


def masked_attention(Q, K, V, mask=None):
    w = masked_softmax(Q @ K.transpose(-2, -1) / sqrt(Q.shape[-1]), mask)
    return w @ V, w


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    n = x.shape[1]
    mask = torch.zeros(n, n, dtype=torch.bool, device=x.device)
    if causal:
        mask = causal_mask(n, device=x.device)
    if lengths is not None:
        mask = mask | padding_mask(lengths, n)
    return masked_attention(x @ W_Q, x @ W_K, x @ W_V, mask)
