# mistakes: softmax-other-base
import math

import torch


def softmax(x, dim=-1):
    p = 2 ** (x - x.amax(dim, keepdim=True))
    return p / p.sum(dim, keepdim=True)


def attention_scores(Q, K):
    return Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])


def attention(Q, K, V):
    weights = torch.softmax(attention_scores(Q, K), -1)
    return weights @ V, weights


def order_gap(fn, x, permutation):
    return (fn(x[:, permutation]) - fn(x)[:, permutation]).abs().max().item()
