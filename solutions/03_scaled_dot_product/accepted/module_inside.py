# accepted: attention as a module, dropout switched off
import math

import torch
from torch import nn


class ScaledDotProduct(nn.Module):
    def __init__(self, dropout=0.0):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.softmax = nn.Softmax(dim=-1)

    def scores(self, Q, K):
        return torch.matmul(Q, K.transpose(-2, -1)) / math.sqrt(Q.size(-1))

    def forward(self, Q, K, V):
        weights = self.softmax(self.scores(Q, K))
        return torch.matmul(self.dropout(weights), V), weights


_layer = ScaledDotProduct()


def softmax(x, dim=-1):
    biggest = torch.max(x, dim=dim, keepdim=True).values
    numerator = torch.exp(x - biggest)
    return numerator / torch.sum(numerator, dim=dim, keepdim=True)


def attention_scores(Q, K):
    return _layer.scores(Q, K)


def attention(Q, K, V):
    return _layer(Q, K, V)


def order_gap(fn, x, permutation):
    shuffled_first = fn(x[:, permutation, ...])
    shuffled_last = fn(x)[:, permutation, ...]
    return (shuffled_first - shuffled_last).abs().max().item()
