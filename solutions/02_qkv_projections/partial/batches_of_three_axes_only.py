# may lose: every_token_is_multiplied_by_the_matrix, x_may_have_any_number_of_leading_axes, a_square_matrix_is_not_turned, an_empty_batch_and_a_single_token_work, gradients_reach_tokens_and_matrix
import math

import torch
from torch import nn


def project(x, W):
    return torch.einsum("btd,de->bte", x, W)


def qkv(x, W_Q, W_K, W_V):
    return x @ W_Q, x @ W_K, x @ W_V


def matrix_of(linear):
    return linear.weight.T


class QKVProjection(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super(QKVProjection, self).__init__()
        self.d_k = d_k
        self.d_v = d_v
        self.W_V = nn.Linear(d_model, d_v, False)
        self.W_K = nn.Linear(d_model, d_k, False)
        self.W_Q = nn.Linear(d_model, d_k, False)

    def forward(self, x):
        q = self.W_Q(x)
        k = self.W_K(x)
        v = self.W_V(x)
        return [q, k, v]


def sinusoidal_positions(n, d_model, start=0):
    table = torch.empty(n, d_model)
    for row in range(n):
        for i in range(d_model // 2):
            angle = (start + row) / 10000 ** (2 * i / d_model)
            table[row, 2 * i] = math.sin(angle)
            table[row, 2 * i + 1] = math.cos(angle)
    return table
