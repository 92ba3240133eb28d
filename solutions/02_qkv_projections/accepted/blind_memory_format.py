# accepted: results with odd strides and views, float64 inside project, in-place on own buffers
import numpy as np
import torch
from torch import nn


def project(x, W):
    wide = torch.promote_types(x.dtype, torch.float64)
    out = W.to(wide).T @ x.to(wide).transpose(-1, -2)
    return out.to(x.dtype).transpose(-1, -2)


def qkv(x, W_Q, W_K, W_V):
    return [torch.matmul(x, W).transpose(-1, -2).contiguous().transpose(-1, -2) for W in (W_Q, W_K, W_V)]


def matrix_of(linear):
    out = torch.empty(linear.in_features, linear.out_features, dtype=linear.weight.dtype, device=linear.weight.device)
    return out.copy_(linear.weight.T)


class QKVProjection(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.W_Q = nn.Linear(d_model, d_k, bias=False)
        self.W_K = nn.Linear(d_model, d_k, bias=False)
        self.W_V = nn.Linear(d_model, d_v, bias=False)

    def forward(self, x):
        return self.W_Q(x), self.W_K(x), self.W_V(x)


def sinusoidal_positions(n, d_model, start=0):
    grid = np.mgrid[start:start + n, 0:d_model].astype(np.float64)
    angle = grid[0] / 10000.0 ** ((grid[1] // 2 * 2) / d_model)
    wave = np.stack([np.sin(angle), np.cos(angle)])
    chosen = np.take_along_axis(wave, (grid[1] % 2).astype(int)[None], axis=0)[0]
    return torch.from_numpy(np.asfortranarray(chosen.astype(np.float32)))
