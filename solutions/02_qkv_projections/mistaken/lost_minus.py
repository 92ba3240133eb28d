# mistakes: pos-frequency-inverted
import torch
from torch import nn


def project(x: torch.Tensor, W: torch.Tensor) -> torch.Tensor:
    assert x.shape[-1] == W.shape[0], (x.shape, W.shape)
    return x.matmul(W)


def qkv(x, W_Q, W_K, W_V):
    out = {}
    for name, W in zip("QKV", [W_Q, W_K, W_V]):
        out[name] = project(x, W)
    return out["Q"], out["K"], out["V"]


def matrix_of(linear):
    weight = dict(linear.named_parameters())["weight"]
    return weight.permute(1, 0)


class QKVProjection(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.W_Q = nn.Linear(d_model, d_k, bias=False)
        self.W_K = nn.Linear(d_model, d_k, bias=False)
        self.W_V = nn.Linear(d_model, d_v, bias=False)

    def forward(self, x):
        return self.W_Q(x), self.W_K(x), self.W_V(x)


def sinusoidal_positions(n, d_model, start=0):
    pe = torch.zeros(n, d_model)
    position = torch.arange(start, start + n, dtype=torch.float).unsqueeze(1)
    div_term = 10000.0 ** (torch.arange(0, d_model, 2).float() / d_model)
    pe[:, 0::2] = torch.sin(position * div_term)
    pe[:, 1::2] = torch.cos(position * div_term)
    return pe
