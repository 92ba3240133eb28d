# mistakes: softmax-dim-ignored, score-query-key-swapped, interp-invariant-vs-equivariant
import torch


def softmax(x, dim=-1):
    top = x.max(-1, keepdim=True)[0]
    x = torch.exp(x - top)
    return x / x.sum(-1, keepdim=True)


def attention_scores(Q, K):
    K_Q = torch.matmul(K, Q.transpose(-2, -1))
    return K_Q / K.shape[-1] ** 0.5


def attention(Q, K, V):
    p = softmax(torch.matmul(Q, K.transpose(-2, -1)) / K.shape[-1] ** 0.5)
    return p @ V, p


def order_gap(fn, x, permutation):
    return float(abs(fn(x[:, permutation]) - fn(x)).max())
