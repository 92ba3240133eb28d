# mistakes: softmax-global-sum
import math

import torch


def softmax(x, dim=-1):
    e = torch.exp(x - x.amax(dim=dim, keepdim=True))
    return e / e.sum(dim=dim, keepdim=True)


def attention_scores(Q, K):
    return Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])


def attention(Q, K, V):
    s = attention_scores(Q, K)
    flat = s.reshape(*s.shape[:-2], s.shape[-2] * s.shape[-1])
    w = torch.softmax(flat, -1).reshape(s.shape)
    return w @ V, w


def order_gap(fn, x, permutation):
    return (fn(x[:, permutation]) - fn(x)[:, permutation]).abs().max().item()
