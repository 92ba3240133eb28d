# accepted: everything folded into baddbmm with an additive bias; weights zeroed by the visible mask
import torch


def causal_mask(n_queries, n_keys=None, device=None):
    n_keys = n_queries if n_keys is None else n_keys
    band = torch.arange(n_keys, device=device) - torch.arange(n_queries, device=device).reshape(n_queries, 1)
    return torch.clamp(band - (n_keys - n_queries), min=0).bool()


def padding_mask(lengths, n_keys):
    return torch.bucketize(torch.arange(n_keys, device=lengths.device).repeat(len(lengths), 1) - lengths[:, None], torch.tensor([0], device=lengths.device), right=True).bool()[:, None]


def masked_softmax(scores, mask=None):
    if mask is None:
        return torch.nn.Softmax(dim=-1)(scores)
    bias = torch.zeros(mask.shape, dtype=scores.dtype, device=scores.device).masked_fill(mask, torch.finfo(scores.dtype).min / 2)
    return torch.nn.Softmax(dim=-1)(scores + bias).mul(mask.logical_not())


def masked_attention(Q, K, V, mask=None):
    lead, n_q, d = Q.shape[:-2], Q.shape[-2], Q.shape[-1]
    n_k = K.shape[-2]
    flat_q, flat_k, flat_v = Q.reshape(-1, n_q, d), K.reshape(-1, n_k, d), V.reshape(-1, n_k, V.shape[-1])
    zero = torch.zeros(1, 1, 1, dtype=Q.dtype, device=Q.device)
    scores = torch.baddbmm(zero, flat_q, flat_k.transpose(1, 2), beta=0, alpha=d ** -0.5)
    weights = masked_softmax(scores.view(*lead, n_q, n_k), mask)
    return torch.bmm(weights.reshape(-1, n_q, n_k), flat_v).view(*lead, n_q, V.shape[-1]), weights


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    n = x.shape[1]
    mask = torch.zeros(n, n, dtype=torch.bool, device=x.device)
    if causal:
        mask = causal_mask(n, device=x.device)
    if lengths is not None:
        mask = mask | padding_mask(lengths, n)
    q, k, v = (x @ torch.cat([W_Q, W_K, W_V], 1)).split([W_Q.shape[1], W_K.shape[1], W_V.shape[1]], -1)
    return masked_attention(q, k, v, mask)
