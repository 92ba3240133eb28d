# mistakes: softmax-over-query-axis
import math

import torch


def softmax(x, dim=-1):
    x = x - x.amax(dim=dim, keepdim=True)
    return x.exp() / x.exp().sum(dim=dim, keepdim=True)


def attention_scores(Q, K):
    return (Q @ K.transpose(-2, -1)) / math.sqrt(K.shape[-1])


def attention(Q, K, V):
    weights = softmax(attention_scores(Q, K), dim=-2)
    return weights @ V, weights


def order_gap(fn, x, permutation):
    return (fn(x)[:, permutation] - fn(x[:, permutation])).abs().max().item()
