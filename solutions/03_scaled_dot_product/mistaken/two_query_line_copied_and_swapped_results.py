# mistakes: score-one-side-twice, output-and-weights-swapped
import math

import torch


def softmax(x, dim=-1):
    e = torch.exp(x - x.amax(dim=dim, keepdim=True))
    return e / e.sum(dim=dim, keepdim=True)


def attention_scores(Q, K):
    q = Q / math.sqrt(Q.shape[-1])
    k = Q
    return q @ k.transpose(-2, -1)


def attention(Q, K, V):
    w = softmax((Q / math.sqrt(Q.shape[-1])) @ K.transpose(-2, -1))
    return w, w @ V


def order_gap(fn, x, permutation):
    return (fn(x[:, permutation]) - fn(x)[:, permutation]).abs().max().item()
