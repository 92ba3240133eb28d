# accepted: values mixed by exponentials, divided at the end
import math

import torch


def softmax(x, dim=-1):
    exp = (x - x.amax(dim=dim, keepdim=True)).exp()
    return exp * exp.sum(dim=dim, keepdim=True).reciprocal()


def attention_scores(Q, K):
    return (K @ Q.transpose(-2, -1)).transpose(-2, -1) / math.sqrt(Q.shape[-1])


def attention(Q, K, V):
    scores = attention_scores(Q, K)
    p = (scores - scores.amax(-1, keepdim=True)).exp()
    total = p.sum(-1, keepdim=True)
    return (p @ V) / total, p / total


def order_gap(fn, x, permutation):
    inverse = torch.empty_like(permutation)
    inverse[permutation] = torch.arange(len(permutation), device=permutation.device)
    return (fn(x) - fn(x[:, permutation])[:, inverse]).abs().max().item()
