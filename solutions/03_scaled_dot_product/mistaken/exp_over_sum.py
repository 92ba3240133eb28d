# mistakes: softmax-no-max-subtraction
import math

import torch


def softmax(x, dim=-1):
    numerator = torch.exp(x)
    denominator = numerator.sum(dim, keepdim=True)
    return numerator / denominator


def attention_scores(Q, K):
    return Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])


def attention(Q, K, V):
    weights = softmax(attention_scores(Q, K))
    return weights @ V, weights


def order_gap(fn, x, permutation):
    return (fn(x[:, permutation]) - fn(x)[:, permutation]).abs().max().item()
