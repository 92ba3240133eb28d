# mistakes: score-transpose-counted-from-front
import torch


def softmax(x, dim=-1):
    e = torch.exp(x - x.amax(dim=dim, keepdim=True))
    return e / e.sum(dim=dim, keepdim=True)


def attention_scores(Q, K):
    d_k = Q.shape[-1]
    return torch.matmul(Q, torch.swapaxes(K, 1, 2)) / d_k**0.5


def attention(Q, K, V):
    weights = softmax(attention_scores(Q, K))
    return torch.matmul(weights, V), weights


def order_gap(fn, x, permutation):
    return (fn(x[:, permutation]) - fn(x)[:, permutation]).abs().max().item()
