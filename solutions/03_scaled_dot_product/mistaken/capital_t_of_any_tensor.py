# mistakes: score-transpose-counted-from-front
import math
import warnings

import torch

warnings.simplefilter("ignore")


def softmax(x, dim=-1):
    e = torch.exp(x - x.amax(dim=dim, keepdim=True))
    return e / e.sum(dim=dim, keepdim=True)


def attention_scores(Q, K):
    return Q @ K.T / math.sqrt(Q.shape[-1])


def attention(Q, K, V):
    weights = softmax(Q @ K.mT / math.sqrt(Q.shape[-1]))
    return weights @ V, weights


def order_gap(fn, x, permutation):
    return (fn(x[:, permutation]) - fn(x)[:, permutation]).abs().max().item()
