# accepted: d_k ** -0.25 on Q and on K, swapaxes
import torch


def softmax(x, dim=-1):
    top = x.amax(dim, True)
    num = torch.exp(x - top)
    den = num.sum(dim, True)
    return num / den


def attention_scores(Q, K):
    quarter = K.shape[-1] ** -0.25
    return (Q * quarter) @ (K * quarter).swapaxes(-1, -2)


def attention(Q, K, V):
    P = softmax(attention_scores(Q, K), -1)
    return (P @ V, P)


def order_gap(fn, x, permutation):
    a = fn(x)
    a = torch.stack([a[:, int(p)] for p in permutation], dim=1)
    b = fn(torch.stack([x[:, int(p)] for p in permutation], dim=1))
    return (a - b).abs().max().item()
