# mistakes: order-gap-one-sample-only
import math

import torch


def softmax(x, dim=-1):
    e = torch.exp(x - x.amax(dim=dim, keepdim=True))
    return e / e.sum(dim=dim, keepdim=True)


def attention_scores(Q, K):
    return Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])


def attention(Q, K, V):
    weights = softmax(attention_scores(Q, K))
    return weights @ V, weights


def order_gap(fn, x, permutation):
    for i in range(len(x)):
        gap = (fn(x[i : i + 1, permutation]) - fn(x[i : i + 1])[:, permutation]).abs().max().item()
    return gap
