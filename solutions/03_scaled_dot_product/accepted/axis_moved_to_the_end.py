# accepted: softmax on the last axis of a transposed view, helpers of one's own
import math

import torch


def _softmax_last(x):
    m = x.amax(-1, keepdim=True)
    e = torch.exp(x - m)
    return e / e.sum(-1, keepdim=True)


def softmax(x, dim=-1):
    return torch.movedim(_softmax_last(torch.movedim(x, dim, -1)), -1, dim)


def scaled(scores, d):
    return scores.mul(1 / math.sqrt(d))


def attention_scores(Q, K):
    axes = list(range(K.dim()))
    axes[-1], axes[-2] = axes[-2], axes[-1]
    return scaled(Q @ K.permute(*axes), Q.shape[-1])


def attention(Q, K, V):
    scores = attention_scores(Q, K)
    weights = _softmax_last(scores)
    return torch.matmul(weights, V), weights


def _move(x, permutation):
    return torch.index_select(x, dim=1, index=permutation)


def order_gap(fn, x, permutation):
    return torch.dist(_move(fn(x), permutation), fn(_move(x, permutation)), p=float("inf")).item()
