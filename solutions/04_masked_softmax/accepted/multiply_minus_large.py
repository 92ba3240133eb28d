# accepted: s * keep - 1e9 * (1 - keep), renormalised after the mask
import torch


def causal_mask(n_queries, n_keys=None, device=None):
    n_keys = n_queries if n_keys is None else n_keys
    keep = torch.tril(torch.ones(n_queries, n_keys, dtype=torch.int8, device=device), n_keys - n_queries)
    return keep.eq(0)


def padding_mask(lengths, n_keys):
    return torch.stack([torch.arange(n_keys, device=lengths.device) >= n for n in lengths]).unsqueeze(1) if len(lengths) \
        else torch.zeros(0, 1, n_keys, dtype=torch.bool, device=lengths.device)


def masked_softmax(scores, mask=None):
    if mask is None:
        return scores.softmax(-1)
    keep = 1 - mask.to(scores.dtype)
    weights = (scores * keep - 1e9 * (1 - keep)).softmax(-1) * keep
    return weights / (weights.sum(-1, keepdim=True) + 1e-12)


def masked_attention(Q, K, V, mask=None):
    temperature = torch.tensor(float(Q.shape[-1]), device=Q.device).sqrt().to(Q.dtype)
    weights = masked_softmax(Q @ K.transpose(-2, -1) / temperature, mask)
    return weights @ V, weights


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    T = x.shape[-2]
    parts = [torch.zeros(T, T, dtype=torch.bool, device=x.device)]
    if causal:
        parts.append(causal_mask(T, device=x.device))
    if lengths is not None:
        parts.append(padding_mask(lengths, T))
    hidden = parts[0]
    for part in parts[1:]:
        hidden = torch.maximum(hidden.int(), part.int()).bool()
    return masked_attention(x @ W_Q, x @ W_K, x @ W_V, hidden)
