# mistakes: softmax-global-max, order-gap-signed
import math

import torch


def softmax(x, dim=-1):
    top = x.max() if x.nelement() else 0.0
    e = torch.exp(x - top)
    return e / e.sum(dim, keepdim=True)


def attention_scores(Q, K):
    return Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])


def attention(Q, K, V):
    A = torch.softmax(attention_scores(Q, K), dim=-1)
    return A @ V, A


def order_gap(fn, x, permutation):
    return (fn(x)[:, permutation] - fn(x[:, permutation])).max().abs().item()
