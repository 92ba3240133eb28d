# accepted: in place on its own clone, no_grad maximum, division in place; lists as pairs
import torch


def causal_mask(n_queries, n_keys=None, device=None):
    n_keys = n_queries if n_keys is None else n_keys
    mask = torch.ones(n_queries, n_keys, dtype=torch.bool, device=device)
    for i in range(n_queries):
        visible = i + n_keys - n_queries + 1
        if visible > 0:
            mask[i, :visible] = False
    return mask


def padding_mask(lengths, n_keys):
    mask = torch.ones(len(lengths), 1, n_keys, dtype=torch.bool, device=lengths.device)
    for row, length in zip(mask, lengths.tolist()):
        row[:, :length] = False
    return mask


def masked_softmax(scores, mask=None):
    work = scores.clone()
    if mask is not None:
        work.masked_fill_(mask, float("-inf"))
    with torch.no_grad():
        peak = work.amax(-1, keepdim=True)
        peak[peak == float("-inf")] = 0
    work = work.sub_(peak).exp()
    total = work.sum(-1, keepdim=True)
    total = total + (total == 0)
    return work / total


def masked_attention(Q, K, V, mask=None):
    logits = Q @ K.transpose(-2, -1)
    logits /= Q.shape[-1] ** 0.5
    weights = masked_softmax(logits, mask)
    return [weights @ V, weights]


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    b, t = x.shape[:2]
    hide = torch.zeros(b, t, t, dtype=torch.bool, device=x.device)
    if causal:
        hide |= causal_mask(t, device=x.device)
    if lengths is not None:
        hide |= padding_mask(lengths, t)
    return masked_attention(x @ W_Q, x @ W_K, x @ W_V, hide)
