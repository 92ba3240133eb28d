# may lose: test_early_queries_without_keys_see_nothing
import torch
from torch import Tensor


def causal_mask(n_queries, n_keys=None, device=None):
    if n_keys is None:
        return causal_mask(n_queries, n_queries, device)
    return torch.tensor(
        [[False] * (n_keys - n_queries + i + 1) + [True] * (n_queries - i - 1) for i in range(n_queries)],
        device=device,
    )


def padding_mask(lengths, n_keys):
    mask = lengths.new_zeros((len(lengths), 1, n_keys)).bool()
    for row, length in zip(mask, lengths):
        row[:, length:] = True
    return mask


def masked_softmax(scores, mask=None):
    if mask is None:
        return scores.softmax(dim=-1)
    n_keys = scores.shape[-1]
    hidden = mask.expand(scores.shape).reshape(-1, n_keys)
    rows = []
    for row, hide in zip(scores.reshape(-1, n_keys), hidden):
        seen = (~hide).nonzero().flatten()
        weights = row * 0
        if len(seen):
            weights = weights.index_put((seen,), row[seen].softmax(0))
        rows.append(weights)
    if not rows:
        return scores * 0
    return torch.stack(rows).reshape(scores.shape)


def masked_attention(Q, K, V, mask=None):
    scores = (Q[..., :, None, :] * K[..., None, :, :]).sum(-1) / Q.shape[-1] ** 0.5
    weights = masked_softmax(scores, mask)
    return (weights[..., None] * V[..., None, :, :]).sum(-2), weights


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    T = x.shape[1]
    reasons = []
    if causal:
        reasons += [causal_mask(T, device=x.device)]
    if lengths is not None:
        reasons += [padding_mask(lengths, T)]
    mask = sum(reasons) > 0 if reasons else None
    return masked_attention(x @ W_Q, x @ W_K, x @ W_V, mask)
