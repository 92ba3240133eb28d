# mistakes: softmax-missing-keepdims, score-no-scale
import torch


def softmax(x, dim=-1):
    m, _ = x.max(dim, keepdim=True)
    e = (x - m).exp()
    return e / e.sum(axis=dim)


def attention_scores(Q, K):
    return torch.matmul(Q, K.mT)


def attention(Q, K, V):
    alpha = torch.softmax(torch.matmul(Q, K.mT), dim=-1)
    return torch.matmul(alpha, V), alpha


def order_gap(fn, x, permutation):
    return (fn(x[:, permutation]) - fn(x)[:, permutation]).abs().max().item()
