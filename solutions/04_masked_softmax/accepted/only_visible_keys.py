# accepted: no fill at all, each row gathers its visible keys and scatters the weights back
import torch


def causal_mask(n_queries, n_keys=None, device=None):
    if n_keys is None:
        n_keys = n_queries
    mask = torch.ones(n_queries, n_keys, dtype=torch.bool, device=device)
    for i in range(n_queries):
        visible = i + n_keys - n_queries + 1
        if visible > 0:
            mask[i, :visible] = False
    return mask


def padding_mask(lengths, n_keys):
    masks = [torch.arange(n_keys, device=lengths.device) >= length for length in lengths]
    if not masks:
        return torch.empty(0, 1, n_keys, dtype=torch.bool, device=lengths.device)
    return torch.stack(masks)[:, None, :]


def masked_softmax(scores, mask=None):
    if mask is None:
        mask = torch.zeros_like(scores, dtype=torch.bool)
    rows = scores.reshape(-1, scores.shape[-1])
    hidden = mask.expand(scores.shape).reshape(-1, scores.shape[-1])
    weights = rows * 0
    for i in range(len(rows)):
        keys = (~hidden[i]).nonzero().squeeze(1)
        if len(keys):
            weights = weights.index_put((torch.full_like(keys, i), keys), rows[i, keys].softmax(0))
    return weights.reshape(scores.shape)


def masked_attention(Q, K, V, mask=None):
    weights = masked_softmax(Q @ K.transpose(-2, -1) / Q.shape[-1] ** 0.5, mask)
    return weights @ V, weights


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    T = x.shape[1]
    hidden = torch.zeros(len(x), T, T, dtype=torch.bool, device=x.device)
    if causal:
        hidden = hidden | causal_mask(T, device=x.device)
    if lengths is not None:
        hidden = hidden | padding_mask(lengths, T)
    return masked_attention(x @ W_Q, x @ W_K, x @ W_V, hidden)
