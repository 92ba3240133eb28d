# mistakes: proj-parameter-in-place-of-layer
import torch
from torch import nn


def project(x, W):
    return torch.einsum("...i,io->...o", x, W)


def qkv(x, *matrices):
    return tuple(map(lambda W: project(x, W), matrices))


def matrix_of(linear):
    W = linear.weight.transpose(0, 1)
    return W.clone()


class QKVProjection(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.W_Q = nn.Parameter(torch.empty(d_model, d_k))
        self.W_K = nn.Parameter(torch.empty(d_model, d_k))
        self.W_V = nn.Parameter(torch.empty(d_model, d_v))
        for W in self.parameters():
            nn.init.xavier_normal_(W)

    def forward(self, x):
        return qkv(x, self.W_Q, self.W_K, self.W_V)


def sinusoidal_positions(n, d_model, start=0):
    pos = start + torch.arange(n, dtype=torch.float32)
    i = torch.arange(d_model // 2, dtype=torch.float32)
    angle = torch.outer(pos, 10000 ** (-2 * i / d_model))
    return torch.stack([angle.sin(), angle.cos()], dim=-1).reshape(n, d_model)
