# accepted: functions as values
import functools
import math
import operator

import torch

_scale = lambda t: t / math.sqrt(t.shape[-1])  # noqa: E731


def softmax(x, dim=-1):
    over = functools.partial(torch.sum, dim=dim, keepdim=True)
    powers = (x - x.amax(dim=dim, keepdim=True)).exp()
    return operator.truediv(powers, over(powers))


attention_scores = lambda Q, K: _scale(Q) @ K.transpose(-2, -1)  # noqa: E731


def attention(Q, K, V):
    weights = functools.reduce(lambda value, step: step(value), [softmax], attention_scores(Q, K))
    return weights @ V, weights


def order_gap(fn, x, permutation):
    move = lambda t: t[:, permutation]  # noqa: E731
    return (fn(move(x)) - move(fn(x))).abs().max().item()
