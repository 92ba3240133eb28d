# mistakes: interp-invariant-vs-equivariant, order-gap-averaged
import math

import torch


def softmax(x, dim=-1):
    z = x - x.max(dim=dim, keepdim=True).values
    return z.exp() / z.exp().sum(dim=dim, keepdim=True)


def attention_scores(Q, K):
    return Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])


def attention(Q, K, V):
    w = softmax(attention_scores(Q, K))
    return w @ V, w


def order_gap(fn, x, permutation):
    return torch.mean(torch.abs(fn(x[:, permutation]) - fn(x))).item()
