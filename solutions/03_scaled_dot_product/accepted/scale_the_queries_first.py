# accepted: queries scaled before the product, mT, a list returned
import math

import torch


def softmax(x, dim=-1):
    shifted = x - x.max(dim, keepdim=True)[0]
    weights = shifted.exp()
    weights = weights / weights.sum(dim, keepdim=True)
    return weights


def attention_scores(Q, K):
    Q = Q / math.sqrt(Q.shape[-1])
    return Q @ K.mT


def attention(Q, K, V):
    A = softmax(attention_scores(Q, K))
    return [A @ V, A]


def order_gap(fn, x, permutation):
    return (fn(x[:, permutation]) - fn(x)[:, permutation]).abs().amax().item()
