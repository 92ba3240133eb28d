# mistakes: proj-matrix-transposed, proj-layer-width-wrong, pos-counted-from-one
import torch
from torch import nn


def project(x, W):
    return torch.einsum("...i,ji->...j", x, W)


def qkv(x, W_Q, W_K, W_V):
    return torch.matmul(x, W_Q), torch.matmul(x, W_K), torch.matmul(x, W_V)


def matrix_of(linear):
    return torch.transpose(linear.weight, 0, 1)


class QKVProjection(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.W_Q, self.W_K, self.W_V = (nn.Linear(d_model, d_k, bias=False) for _ in range(3))

    def forward(self, x):
        return self.W_Q(x), self.W_K(x), self.W_V(x)


def sinusoidal_positions(n, d_model, start=0):
    out = []
    for pos in range(start + 1, start + n + 1):
        freqs = torch.tensor([pos / 10000 ** (2 * i / d_model) for i in range(d_model // 2)], dtype=torch.float64)
        out.append(torch.stack([freqs.sin(), freqs.cos()], dim=1).flatten())
    return torch.stack(out).to(torch.float32)
