# mistakes: softmax-in-low-precision
import math

import torch


def softmax(x, dim=-1):
    h = (x - x.amax(dim=dim, keepdim=True)).bfloat16()
    e = torch.exp(h).to(x.dtype)
    return e / e.sum(dim=dim, keepdim=True)


def attention_scores(Q, K):
    return Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])


def attention(Q, K, V):
    weights = softmax(attention_scores(Q, K))
    return weights @ V, weights


def order_gap(fn, x, permutation):
    return (fn(x[:, permutation]) - fn(x)[:, permutation]).abs().max().item()
