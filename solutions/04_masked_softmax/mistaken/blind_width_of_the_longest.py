# mistakes: mask-padding-as-wide-as-longest
# padding_mask is as wide as the longest length, not n_keys.
import torch


def causal_mask(n_queries, n_keys=None, device=None):
    n_keys = n_queries if n_keys is None else n_keys
    q_pos = torch.arange(n_queries, device=device) + (n_keys - n_queries)
    return torch.arange(n_keys, device=device).unsqueeze(0) > q_pos.unsqueeze(1)


def padding_mask(lengths, n_keys):
    max_len = int(lengths.max()) if len(lengths) else n_keys
    batch = lengths.size(0)
    ids = torch.arange(0, max_len, device=lengths.device).expand(batch, max_len)
    return (ids >= lengths.unsqueeze(1)).unsqueeze(1)


def masked_softmax(scores, mask=None):
    if mask is None:
        return torch.softmax(scores, -1)
    nothing = mask.all(dim=-1, keepdim=True)
    filled = scores.masked_fill(mask, float("-inf")).masked_fill(nothing, 0.0)
    return torch.softmax(filled, -1).masked_fill(mask, 0.0)


def masked_attention(Q, K, V, mask=None):
    scores = (Q @ K.transpose(-2, -1)).div(Q.shape[-1] ** 0.5)
    weights = masked_softmax(scores, mask)
    return weights @ V, weights


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    seq = x.shape[1]
    mask = None
    if causal:
        mask = causal_mask(seq, device=x.device)
    if lengths is not None:
        pad = torch.arange(seq, device=x.device)[None, None] >= lengths[:, None, None]
        mask = pad if mask is None else torch.logical_or(mask, pad)
    return masked_attention(x @ W_Q, x @ W_K, x @ W_V, mask)
