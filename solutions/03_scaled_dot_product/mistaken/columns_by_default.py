# mistakes: softmax-default-axis
import math

import torch


def softmax(x, dim=0):
    shifted = x - x.amax(dim, keepdim=True)
    shares = shifted.exp()
    return shares / shares.sum(dim, keepdim=True)


def attention_scores(Q, K):
    return torch.matmul(Q, K.transpose(-2, -1)) / math.sqrt(Q.shape[-1])


def attention(Q, K, V):
    scores = attention_scores(Q, K)
    weights = softmax(scores, dim=-1)
    return weights @ V, weights


def order_gap(fn, x, permutation):
    before, after = fn(x[:, permutation]), fn(x)[:, permutation]
    return (before - after).abs().max().item()
