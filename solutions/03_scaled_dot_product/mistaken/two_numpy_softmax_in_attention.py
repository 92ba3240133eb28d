# mistakes: autograd-cut, softmax-result-left-in-float64
import math

import numpy as np
import torch


def softmax(x, dim=-1):
    e = torch.exp(x - x.amax(dim=dim, keepdim=True))
    return e / e.sum(dim=dim, keepdim=True)


def attention_scores(Q, K):
    return Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])


def attention(Q, K, V):
    s = attention_scores(Q, K).detach().double().numpy()
    s = np.exp(s - s.max(-1, keepdims=True))
    w = torch.from_numpy(s / s.sum(-1, keepdims=True))
    return w @ V.double(), w


def order_gap(fn, x, permutation):
    return (fn(x[:, permutation]) - fn(x)[:, permutation]).abs().max().item()
