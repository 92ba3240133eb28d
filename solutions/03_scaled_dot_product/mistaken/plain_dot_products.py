# mistakes: score-no-scale
import torch


def softmax(x, dim=-1):
    e = torch.exp(x - x.amax(dim, keepdim=True))
    return e / e.sum(dim, keepdim=True)


def attention_scores(Q, K):
    return torch.matmul(Q, K.transpose(-1, -2))


def attention(Q, K, V):
    weights = softmax(attention_scores(Q, K))
    return torch.matmul(weights, V), weights


def order_gap(fn, x, permutation):
    gap = fn(x[:, permutation]) - fn(x)[:, permutation]
    return float(gap.abs().max())
