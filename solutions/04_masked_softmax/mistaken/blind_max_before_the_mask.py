# mistakes: mask-hidden-scores-set-the-scale
# masked_softmax takes the maximum over hidden scores too, so a large hidden score underflows the visible ones.
import math
import torch


def causal_mask(n_queries, n_keys=None, device=None):
    n_keys = n_queries if n_keys is None else n_keys
    rows = torch.arange(n_queries, device=device).view(-1, 1)
    cols = torch.arange(n_keys, device=device).view(1, -1)
    return cols > rows + (n_keys - n_queries)


def padding_mask(lengths, n_keys):
    pos = torch.arange(n_keys, device=lengths.device)
    return (pos >= lengths.view(-1, 1)).unsqueeze(1)


def masked_softmax(scores, mask=None):
    # numerically stable version
    shifted = scores - scores.max(dim=-1, keepdim=True).values
    numer = torch.exp(shifted)
    if mask is not None:
        numer = numer * (~mask)
    denom = numer.sum(dim=-1, keepdim=True)
    denom = torch.where(denom == 0, torch.ones_like(denom), denom)
    return numer / denom


def masked_attention(Q, K, V, mask=None):
    scores = torch.matmul(Q, K.transpose(-2, -1)) / math.sqrt(Q.shape[-1])
    attn = masked_softmax(scores, mask)
    return torch.matmul(attn, V), attn


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    T = x.shape[1]
    mask = torch.zeros(1, T, T, dtype=torch.bool, device=x.device)
    if causal:
        mask = mask | causal_mask(T, device=x.device)
    if lengths is not None:
        mask = mask | padding_mask(lengths, T)
    return masked_attention(x @ W_Q, x @ W_K, x @ W_V, mask)
