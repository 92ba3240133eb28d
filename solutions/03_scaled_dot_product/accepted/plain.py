# accepted: written as the formulas read
import math

import torch


def softmax(x, dim=-1):
    x = x - x.max(dim=dim, keepdim=True).values
    e = torch.exp(x)
    return e / e.sum(dim=dim, keepdim=True)


def attention_scores(Q, K):
    return torch.matmul(Q, K.transpose(-2, -1)) / math.sqrt(Q.size(-1))


def attention(Q, K, V):
    weights = softmax(attention_scores(Q, K))
    return torch.matmul(weights, V), weights


def order_gap(fn, x, permutation):
    before = fn(x[:, permutation, :])
    after = fn(x)[:, permutation, :]
    return float((before - after).abs().max())
