# mistakes: score-scale-without-root
import torch


def softmax(x, dim=-1):
    e = torch.exp(x - x.amax(dim=dim, keepdim=True))
    return e / e.sum(dim=dim, keepdim=True)


def attention_scores(Q, K):
    return (Q.unsqueeze(-2) * K.unsqueeze(-3)).mean(dim=-1)


def attention(Q, K, V):
    scores = (Q.unsqueeze(-2) * K.unsqueeze(-3)).mean(dim=-1)
    weights = softmax(scores)
    return weights @ V, weights


def order_gap(fn, x, permutation):
    return (fn(x[:, permutation]) - fn(x)[:, permutation]).abs().max().item()
