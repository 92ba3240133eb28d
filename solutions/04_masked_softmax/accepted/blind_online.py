# accepted: online softmax over single keys in float64, Python loop, output accumulated with the weights
import math
import torch


def causal_mask(n_queries, n_keys=None, device=None):
    n_keys = n_queries if n_keys is None else n_keys
    last_visible = torch.arange(n_queries, device=device) + (n_keys - n_queries)
    return torch.arange(n_keys, device=device).expand(n_queries, n_keys) > last_visible.unsqueeze(1)


def padding_mask(lengths, n_keys):
    return (lengths[:, None] - torch.arange(1, n_keys + 1, device=lengths.device) < 0)[:, None]


def masked_softmax(scores, mask=None):
    wide = scores.to(torch.float64)
    hidden = torch.zeros_like(wide, dtype=torch.bool) if mask is None else mask.expand(wide.shape)
    running_max = torch.full_like(wide[..., 0], -math.inf)
    running_sum = torch.zeros_like(wide[..., 0])
    for j in range(wide.shape[-1]):
        candidate = torch.where(hidden[..., j], running_max, torch.maximum(running_max, wide[..., j].detach()))
        safe = torch.where(torch.isinf(candidate), torch.zeros_like(candidate), candidate)
        rescale = torch.where(torch.isinf(running_max), torch.zeros_like(safe), torch.exp(running_max - safe))
        shifted = torch.where(hidden[..., j], torch.zeros_like(safe), wide[..., j] - safe)
        running_sum = running_sum * rescale + torch.where(hidden[..., j], torch.zeros_like(safe), shifted.exp())
        running_max = candidate
    shift = torch.where(torch.isinf(running_max), torch.zeros_like(running_max), running_max)[..., None]
    total = torch.where(running_sum == 0, torch.ones_like(running_sum), running_sum)[..., None]
    numerator = torch.where(hidden, shift, wide) - shift
    return torch.where(hidden, torch.zeros_like(wide), numerator.exp() / total).to(scores.dtype)


def masked_attention(Q, K, V, mask=None):
    weights = masked_softmax(Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1]), mask)
    return weights @ V, weights


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    T = x.shape[1]
    mask = torch.zeros(1, T, T, dtype=torch.bool, device=x.device)
    if causal:
        mask = mask | causal_mask(T, device=x.device)
    if lengths is not None:
        mask = mask | padding_mask(lengths, T)
    return masked_attention(x @ W_Q, x @ W_K, x @ W_V, mask)
