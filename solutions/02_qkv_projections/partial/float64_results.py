# may lose: tokens_keep_their_dtype, queries_keys_and_values_keep_the_dtype, the_matrix_keeps_the_dtype_of_the_layer, the_layer_keeps_the_dtype, the_table_is_float32
import numpy as np
import torch
from torch import nn


def project(x, W):
    return x.double() @ W.double()


def qkv(x, W_Q, W_K, W_V):
    return project(x, W_Q), project(x, W_K), project(x, W_V)


def matrix_of(linear):
    return linear.weight.double().T


class QKVProjection(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.W_Q = nn.Linear(d_model, d_k, bias=False)
        self.W_K = nn.Linear(d_model, d_k, bias=False)
        self.W_V = nn.Linear(d_model, d_v, bias=False)

    def forward(self, x):
        return qkv(x, matrix_of(self.W_Q), matrix_of(self.W_K), matrix_of(self.W_V))


def sinusoidal_positions(n, d_model, start=0):
    pos = np.arange(start, start + n)[:, None]
    col = np.arange(d_model)[None, :]
    angle = pos / 10000 ** (2 * (col // 2) / d_model)
    return torch.tensor(np.where(col % 2 == 0, np.sin(angle), np.cos(angle)))
