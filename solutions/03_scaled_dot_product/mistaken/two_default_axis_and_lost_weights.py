# mistakes: softmax-default-axis, weights-not-returned
import math

import torch


def softmax(x, dim=0):
    x = x - x.amax(dim, True)
    p = torch.exp(x)
    return p / p.sum(dim, True)


def attention_scores(Q, K):
    return Q @ K.mT / math.sqrt(K.shape[-1])


def attention(Q, K, V):
    return softmax(attention_scores(Q, K), dim=-1) @ V


def order_gap(fn, x, permutation):
    return (fn(x[:, permutation]) - fn(x)[:, permutation]).abs().max().item()
