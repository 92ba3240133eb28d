# project: with four axes (batch and heads) the two leading axes are put back in the wrong order
import torch
from torch import nn


def project(x, W):
    if x.dim() == 2:
        return torch.mm(x, W)
    if x.dim() == 3:
        return torch.stack([torch.mm(sentence, W) for sentence in x]) if len(x) else x @ W
    if x.dim() == 4:
        B, H, T, d = x.shape
        flat = x.reshape(B * H * T, d)
        out = torch.mm(flat, W)
        return out.reshape(H, B, T, W.shape[1])
    return torch.matmul(x, W)


def qkv(x, W_Q, W_K, W_V):
    return x @ W_Q, x @ W_K, x @ W_V


def matrix_of(linear):
    return linear.weight.t()


class QKVProjection(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.W_Q = nn.Linear(d_model, d_k, bias=False)
        self.W_K = nn.Linear(d_model, d_k, bias=False)
        self.W_V = nn.Linear(d_model, d_v, bias=False)

    def forward(self, x):
        return qkv(x, matrix_of(self.W_Q), matrix_of(self.W_K), matrix_of(self.W_V))


def sinusoidal_positions(n, d_model, start=0):
    positions = torch.arange(start, start + n, dtype=torch.float64).unsqueeze(1)
    i = torch.arange(0, d_model, 2, dtype=torch.float64)
    angles = positions / torch.pow(torch.tensor(10000.0, dtype=torch.float64), i / d_model)
    pe = torch.zeros(n, d_model)
    pe[:, 0::2] = torch.sin(angles).float()
    pe[:, 1::2] = torch.cos(angles).float()
    return pe
