# mistakes: dropout-active-in-eval
import math

import torch
from torch import nn


def softmax(x, dim=-1):
    e = (x - x.amax(dim, keepdim=True)).exp()
    return e / e.sum(dim, keepdim=True)


def attention_scores(Q, K):
    return Q @ K.transpose(-2, -1) / math.sqrt(Q.size(-1))


def attention(Q, K, V):
    dropout = nn.Dropout(0.1)
    p_attn = dropout(softmax(attention_scores(Q, K)))
    return p_attn @ V, p_attn


def order_gap(fn, x, permutation):
    return (fn(x[:, permutation]) - fn(x)[:, permutation]).abs().max().item()
