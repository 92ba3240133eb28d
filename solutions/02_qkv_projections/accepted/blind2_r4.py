# accepted: in its own way
import torch
from torch import nn


def project(x, W):
    before = x.shape[:-1]
    rows = x.reshape(before.numel(), W.shape[0])
    return rows.mm(W).reshape(before + W.shape[1:])


def qkv(x, W_Q, W_K, W_V):
    if x.dim() > 2 and x.shape[0] > 0:
        samples = [qkv(one, W_Q, W_K, W_V) for one in x]
        return tuple(torch.stack(part) for part in zip(*samples))
    return project(x, W_Q), project(x, W_K), project(x, W_V)


def matrix_of(linear):
    return torch.stack([linear.weight[:, j] for j in range(linear.in_features)])


class QKVProjection(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()

        def bare(width):
            layer = nn.Linear(d_model, width)
            layer.bias = None
            return layer

        self.W_Q, self.W_K, self.W_V = bare(d_k), bare(d_k), bare(d_v)

    def forward(self, x):
        return self.W_Q(x), self.W_K(x), self.W_V(x)


def sinusoidal_positions(n, d_model, start=0):
    # turn each hand on by its step, position after position
    step = torch.tensor([10000.0 ** (-2 * i / d_model) for i in range(d_model // 2)], dtype=torch.float64)
    turn_sin, turn_cos = step.sin(), step.cos()
    s, c = (start * step).sin(), (start * step).cos()
    rows = []
    for _ in range(n):
        rows.append(torch.stack((s, c), dim=1).reshape(-1))
        s, c = s * turn_cos + c * turn_sin, c * turn_cos - s * turn_sin
    return torch.stack(rows).float()
