# mistakes: proj-weights-not-registered
import torch
from torch import nn


def project(x, W):
    # (..., T, d_in) x (d_in, d_out)
    out = torch.matmul(x, W)
    return out


def qkv(x, W_Q, W_K, W_V):
    out = {}
    for name, W in zip("QKV", [W_Q, W_K, W_V]):
        out[name] = project(x, W)
    return out["Q"], out["K"], out["V"]


def matrix_of(linear):
    W = linear.weight.transpose(0, 1)
    return W.clone()


class QKVProjection(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.projections = []
        for width in (d_k, d_k, d_v):
            self.projections.append(nn.Linear(d_model, width, bias=False))

    def forward(self, x):
        Q, K, V = [layer(x) for layer in self.projections]
        return Q, K, V


def sinusoidal_positions(n, d_model, start=0):
    pos = start + torch.arange(n, dtype=torch.float32)
    i = torch.arange(d_model // 2, dtype=torch.float32)
    angle = torch.outer(pos, 10000 ** (-2 * i / d_model))
    return torch.stack([angle.sin(), angle.cos()], dim=-1).reshape(n, d_model)
