# accepted: one query at a time under vmap
import torch


def softmax(x, dim=-1):
    def shares(row):
        e = torch.exp(row - row.max())
        return e / e.sum()

    x = x.movedim(dim, -1)
    flat = x.reshape(-1, x.shape[-1]) if x.numel() else x.reshape(0, x.shape[-1])
    if len(flat) == 0:
        return x.movedim(-1, dim).clone()
    return torch.vmap(shares)(flat).reshape(x.shape).movedim(-1, dim)


def attention_scores(Q, K):
    scale = Q.shape[-1] ** 0.5
    return torch.linalg.matmul(Q, K.adjoint()) / scale


def attention(Q, K, V):
    scores = attention_scores(Q, K)
    weights = softmax(scores)
    return torch.matmul(weights, V), weights


def order_gap(fn, x, permutation):
    fx = fn(x)
    fpx = fn(x[:, permutation])
    return abs(fx[:, permutation] - fpx).max().item()
