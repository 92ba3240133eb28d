# mistakes: softmax-numbers-clamped
import math

import torch


def softmax(x, dim=-1):
    # exp overflows beyond about 88
    x = torch.clamp(x, min=-80, max=80)
    e = torch.exp(x)
    return e / e.sum(dim, keepdim=True)


def attention_scores(Q, K):
    return Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])


def attention(Q, K, V):
    weights = torch.softmax(attention_scores(Q, K), -1)
    return weights @ V, weights


def order_gap(fn, x, permutation):
    return (fn(x[:, permutation]) - fn(x)[:, permutation]).abs().max().item()
