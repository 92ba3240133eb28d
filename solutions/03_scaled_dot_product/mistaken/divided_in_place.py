# mistakes: argument-changed-in-place
import math

import torch


def softmax(x, dim=-1):
    e = torch.exp(x - x.amax(dim=dim, keepdim=True))
    return e / e.sum(dim=dim, keepdim=True)


def attention_scores(Q, K):
    Q /= math.sqrt(Q.shape[-1])
    return torch.matmul(Q, K.mT)


def attention(Q, K, V):
    weights = softmax(attention_scores(Q.clone(), K))
    return weights @ V, weights


def order_gap(fn, x, permutation):
    return (fn(x[:, permutation]) - fn(x)[:, permutation]).abs().max().item()
