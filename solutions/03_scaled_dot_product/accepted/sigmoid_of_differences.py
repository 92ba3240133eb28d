# accepted: each share as 1 / sum of exp of differences, clamped where they no longer count
import math

import torch


def softmax(x, dim=-1):
    a = x.movedim(dim, -1)
    # share i = 1 / sum_j exp(x_j - x_i); beyond e^80 a share is 0 in any case
    differences = a.unsqueeze(-2) - a.unsqueeze(-1)
    shares = 1 / differences.clamp(max=80).exp().sum(-1)
    return shares.movedim(-1, dim)


def attention_scores(Q, K):
    return torch.matmul(Q, K.transpose(-2, -1)).div(math.sqrt(Q.shape[-1]))


def attention(Q, K, V):
    weights = softmax(attention_scores(Q, K))
    return weights.matmul(V), weights


def order_gap(fn, x, permutation):
    a, b = fn(x[:, permutation]), fn(x)[:, permutation]
    return torch.maximum(a - b, b - a).max().item()
