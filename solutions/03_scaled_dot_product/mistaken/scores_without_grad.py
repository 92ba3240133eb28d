# mistakes: autograd-cut
import torch


def softmax(x, dim=-1):
    e = torch.exp(x - x.amax(dim=dim, keepdim=True))
    return e / e.sum(dim=dim, keepdim=True)


@torch.no_grad()
def attention_scores(Q, K):
    return Q @ K.transpose(-2, -1) / Q.shape[-1] ** 0.5


def attention(Q, K, V):
    scores = Q @ K.transpose(-2, -1) * Q.shape[-1] ** -0.5
    weights = softmax(scores)
    return weights @ V, weights


def order_gap(fn, x, permutation):
    return (fn(x[:, permutation]) - fn(x)[:, permutation]).abs().max().item()
