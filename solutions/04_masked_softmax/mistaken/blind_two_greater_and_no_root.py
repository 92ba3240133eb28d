# mistakes: mask-padding-shows-first-pad, score-scale-without-root
# padding_mask leaves the first padded key visible.
# masked_attention divides by d_k, not its root.
import torch


def causal_mask(n_queries, n_keys=None, device=None):
    n_keys = n_queries if n_keys is None else n_keys
    return torch.ones(n_queries, n_keys, dtype=torch.bool, device=device).triu(n_keys - n_queries + 1)


def padding_mask(lengths, n_keys):
    rows = []
    for n in lengths.tolist():
        rows.append([[k > n for k in range(n_keys)]])
    return torch.tensor(rows, dtype=torch.bool, device=lengths.device).view(len(rows), 1, n_keys)


def masked_softmax(scores, mask=None):
    if mask is None:
        return torch.softmax(scores, dim=-1)
    scores = scores.masked_fill(mask, -1e9)
    return torch.softmax(scores, dim=-1).masked_fill(mask, 0.0)


def masked_attention(Q, K, V, mask=None):
    d = Q.shape[-1]
    attn = masked_softmax((Q @ K.transpose(-2, -1)) / d, mask)
    return attn @ V, attn


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    n = x.shape[1]
    mask = torch.zeros(n, n, dtype=torch.bool, device=x.device)
    if causal:
        mask = causal_mask(n, device=x.device)
    if lengths is not None:
        mask = mask | padding_mask(lengths, n)
    return masked_attention(x @ W_Q, x @ W_K, x @ W_V, mask)
