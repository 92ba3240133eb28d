# accepted: lru_cache'd masks by all arguments, functools.reduce to join them
import functools
import math
import operator
import torch


@functools.lru_cache(maxsize=None)
def _triangle(n_queries, n_keys, device):
    return torch.ones(n_queries, n_keys, dtype=torch.bool, device=device).triu(1 + n_keys - n_queries)


def causal_mask(n_queries, n_keys=None, device=None):
    return _triangle(n_queries, n_keys if n_keys is not None else n_queries, str(device or "cpu"))


def padding_mask(lengths, n_keys):
    return ~(torch.arange(n_keys, device=lengths.device) < lengths[:, None])[:, None, :]


def masked_softmax(scores, mask=None):
    if mask is None:
        return torch.softmax(scores, dim=-1)
    hidden, scores = torch.broadcast_tensors(mask, scores)
    return torch.softmax(torch.where(hidden, scores.new_tensor(-1e9), scores), dim=-1).where(~hidden, scores.new_zeros(()))


def masked_attention(Q, K, V, mask=None):
    weights = masked_softmax(Q @ K.mT / math.sqrt(Q.shape[-1]), mask)
    return weights @ V, weights


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    masks = []
    if causal:
        masks.append(causal_mask(x.shape[1], device=x.device))
    if lengths is not None:
        masks.append(padding_mask(lengths, x.shape[1]))
    mask = functools.reduce(operator.or_, masks) if masks else None
    return masked_attention(x @ W_Q, x @ W_K, x @ W_V, mask)
