# accepted: base-2 exponentials, scale folded into W_Q, mask inverted inside, weights from a transposed layout
import math
import torch

LOG2E = math.log2(math.e)


def causal_mask(n_queries, n_keys=None, device=None):
    n_keys = n_queries if n_keys is None else n_keys
    visible = torch.ones(n_queries, n_keys, dtype=torch.bool, device=device).flip(0, 1).triu().flip(0, 1)
    return ~visible


def padding_mask(lengths, n_keys):
    onehot = torch.nn.functional.one_hot(lengths.long(), n_keys + 1)[..., :n_keys]
    return onehot.cumsum(-1).bool().unsqueeze(1)


def masked_softmax(scores, mask=None):
    keep = torch.ones((), dtype=torch.bool, device=scores.device) if mask is None else ~mask
    t = torch.where(keep, scores, torch.finfo(scores.dtype).min).movedim(-1, 0)
    t = torch.exp2((t - t.amax(0)) * LOG2E) * keep.expand(scores.shape).movedim(-1, 0)
    return (t / t.sum(0).clamp_min(1e-6)).movedim(0, -1)


def masked_attention(Q, K, V, mask=None):
    weights = masked_softmax((Q * Q.shape[-1] ** -0.5) @ K.transpose(-2, -1), mask)
    return weights @ V, weights


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    n = x.shape[1]
    mask = torch.zeros(n, n, dtype=torch.bool, device=x.device)
    if causal:
        mask = mask | causal_mask(n, device=x.device)
    if lengths is not None:
        mask = mask | padding_mask(lengths, n)
    scores = (x @ (W_Q / math.sqrt(W_Q.shape[1]))) @ (x @ W_K).transpose(1, 2)
    weights = masked_softmax(scores, mask)
    return weights @ (x @ W_V), weights
