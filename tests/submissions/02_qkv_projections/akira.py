# 課題02 Q・K・V への射影
# 明
import math

import torch
from torch import nn


def project(x, W):
    return x @ W  # (..., T, d_in) @ (d_in, d_out)


def qkv(x, W_Q, W_K, W_V):
    # 同じ x から「質問」「見出し」「中身」をつくる
    return project(x, W_Q), project(x, W_K), project(x, W_V)


def matrix_of(linear):
    # nn.Linear の重みは (出力, 入力) なので転置する
    return linear.weight.transpose(0, 1)


class QKVProjection(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.W_Q = nn.Linear(d_model, d_k, bias=False)
        self.W_K = nn.Linear(d_model, d_k, bias=False)
        self.W_V = nn.Linear(d_model, d_v, bias=False)

    def forward(self, x):
        return self.W_Q(x), self.W_K(x), self.W_V(x)


def sinusoidal_positions(n, d_model, start=0):
    位置 = torch.arange(start, start + n).float().unsqueeze(1)
    係数 = torch.exp(torch.arange(0, d_model, 2).float() * (-math.log(10000.0) / d_model))
    pe = torch.zeros(n, d_model)
    pe[:, 0::2] = torch.sin(位置 * 係数)  # 偶数列
    pe[:, 1::2] = torch.cos(位置 * 係数)  # 奇数列
    return pe
