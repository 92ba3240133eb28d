# mistakes: autograd-cut
import math

import numpy as np
import torch


def softmax(x, dim=-1):
    a = x.detach().cpu().double().numpy()
    a = np.exp(a - a.max(axis=dim, keepdims=True))
    return torch.tensor(a / a.sum(axis=dim, keepdims=True), dtype=x.dtype, device=x.device)


def attention_scores(Q, K):
    return Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])


def attention(Q, K, V):
    weights = softmax(attention_scores(Q, K))
    return weights @ V, weights


def order_gap(fn, x, permutation):
    return (fn(x[:, permutation]) - fn(x)[:, permutation]).abs().max().item()
