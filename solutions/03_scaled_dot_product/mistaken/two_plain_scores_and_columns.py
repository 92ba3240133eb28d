# mistakes: score-no-scale, softmax-over-query-axis
import torch


def softmax(x, dim=-1):
    e = torch.exp(x - torch.amax(x, dim, keepdim=True))
    return e / torch.sum(e, dim, keepdim=True)


def attention_scores(Q, K):
    return torch.einsum("...ik,...jk->...ij", Q, K)


def attention(Q, K, V):
    A = softmax(attention_scores(Q, K), dim=-2)
    return torch.einsum("...ij,...jv->...iv", A, V), A


def order_gap(fn, x, permutation):
    a, b = fn(x)[:, permutation], fn(x[:, permutation])
    return float((a - b).abs().max())
