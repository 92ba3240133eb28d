# accepted: the library's softmax inside attention, where it is allowed
import math

import torch
import torch.nn.functional as F


def softmax(x, dim=-1):
    z = x - x.detach().amax(dim=dim, keepdim=True)
    return z.exp() / z.exp().sum(dim=dim, keepdim=True)


def attention_scores(Q, K):
    return Q @ K.transpose(-1, -2) / math.sqrt(K.shape[-1])


def attention(Q, K, V):
    weights = F.softmax(attention_scores(Q, K), dim=-1)
    return weights @ V, weights


def order_gap(fn, x, permutation):
    with torch.no_grad():
        one = fn(x[:, permutation])
        two = fn(x)[:, permutation]
    return (one - two).abs().max().item()
