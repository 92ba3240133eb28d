# accepted: matrices alone, leading axes by recursion; in place on one's own copy
import math

import torch


def softmax(x, dim=-1):
    top = x.amax(dim=dim, keepdim=True)
    out = x.clone()
    out -= top
    out = out.exp()
    out = out / out.sum(dim=dim, keepdim=True)
    return out


def attention_scores(Q, K):
    if Q.ndim > 2:
        if len(Q) == 0:
            return Q.new_zeros(*Q.shape[:-1], K.shape[-2])
        return torch.stack([attention_scores(q, k) for q, k in zip(Q, K)])
    return torch.mm(Q, K.t()) / math.sqrt(Q.shape[1])


def attention(Q, K, V):
    if Q.ndim > 2 and len(Q) > 0:
        pairs = [attention(q, k, v) for q, k, v in zip(Q, K, V)]
        return torch.stack([p[0] for p in pairs]), torch.stack([p[1] for p in pairs])
    weights = softmax(attention_scores(Q, K))
    return weights @ V, weights


def order_gap(fn, x, permutation):
    return max((fn(x[:, permutation]) - fn(x)[:, permutation]).abs().reshape(-1)).item()
