# mistakes: dropout-active-in-eval
# masked_attention applies dropout to the weights.
import math
import torch
import torch.nn.functional as F


def causal_mask(n_queries, n_keys=None, device=None):
    n_keys = n_queries if n_keys is None else n_keys
    return torch.ones(n_queries, n_keys, device=device).triu(1 + n_keys - n_queries).bool()


def padding_mask(lengths, n_keys):
    return torch.arange(n_keys, device=lengths.device).view(1, 1, -1) >= lengths.view(-1, 1, 1)


def masked_softmax(scores, mask=None):
    if mask is None:
        return scores.softmax(dim=-1)
    scores = scores.masked_fill(mask, -1e9)
    return scores.softmax(dim=-1) * mask.logical_not()


def masked_attention(Q, K, V, mask=None, dropout=0.1):
    scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.size(-1))
    p_attn = masked_softmax(scores, mask)
    p_attn = F.dropout(p_attn, p=dropout)
    return torch.matmul(p_attn, V), p_attn


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    query, key, value = x @ W_Q, x @ W_K, x @ W_V
    mask = torch.zeros(1, x.size(1), x.size(1), dtype=torch.bool, device=x.device)
    if causal:
        mask = mask + causal_mask(x.size(1), device=x.device)
    if lengths is not None:
        mask = mask + padding_mask(lengths, x.size(1))
    return masked_attention(query, key, value, mask)
