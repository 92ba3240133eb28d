# accepted: online softmax over blocks of keys for the output, weights from the same running maximum and sum
import math

import torch

BLOCK = 2


def causal_mask(n_queries, n_keys=None, device=None):
    n_keys = n_queries if n_keys is None else n_keys
    i = torch.arange(n_queries, device=device)[:, None] + (n_keys - n_queries)
    return torch.arange(n_keys, device=device)[None, :] > i


def padding_mask(lengths, n_keys):
    return torch.arange(n_keys, device=lengths.device) >= lengths[:, None, None]


def statistics(scores):
    """Running maximum and running sum over blocks of keys; 0 and 0 for a row that sees nothing."""
    m = torch.full_like(scores[..., :1], -math.inf)
    total = torch.zeros_like(m)
    for start in range(0, scores.shape[-1], BLOCK):
        block = scores[..., start:start + BLOCK]
        new = torch.maximum(m, block.amax(-1, keepdim=True))
        safe = new.masked_fill(new == -math.inf, 0.0)
        total = total * torch.exp(m - safe) + torch.exp(block - safe).sum(-1, keepdim=True)
        m = new
    return m.masked_fill(m == -math.inf, 0.0), total


def masked_softmax(scores, mask=None):
    if mask is not None:
        scores = scores.masked_fill(mask, -math.inf)
    m, total = statistics(scores)
    return torch.exp(scores - m) / total.masked_fill(total == 0, 1.0)


def masked_attention(Q, K, V, mask=None):
    scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])
    weights = masked_softmax(scores, mask)
    output = 0
    for start in range(0, K.shape[-2], BLOCK):
        output = output + weights[..., start:start + BLOCK] @ V[..., start:start + BLOCK, :]
    return output, weights


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    T = x.shape[1]
    hidden = causal_mask(T, device=x.device) if causal else torch.zeros(1, T, dtype=torch.bool, device=x.device)
    if lengths is not None:
        hidden = hidden | padding_mask(lengths, T)
    return masked_attention(x @ W_Q, x @ W_K, x @ W_V, hidden)
