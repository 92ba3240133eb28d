# mistakes: proj-scaled-early, proj-weight-turned-in-place
# qkv scales the queries by the root of d_k.
# matrix_of transposes the layer's own weight in place.
import torch
from torch import nn


def project(x, W):
    return x @ W


def qkv(x, W_Q, W_K, W_V):
    Q = project(x, W_Q) / W_Q.shape[-1] ** 0.5
    return Q, project(x, W_K), project(x, W_V)


def matrix_of(linear):
    linear.weight.data = linear.weight.data.T
    return linear.weight


class QKVProjection(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.W_Q = nn.Linear(d_model, d_k, bias=False)
        self.W_K = nn.Linear(d_model, d_k, bias=False)
        self.W_V = nn.Linear(d_model, d_v, bias=False)

    def forward(self, x):
        return self.W_Q(x), self.W_K(x), self.W_V(x)


def sinusoidal_positions(n, d_model, start=0):
    pos = torch.arange(start, start + n).float()
    pairs = torch.arange(d_model // 2).float()
    angle = pos.unsqueeze(1) * torch.exp(-(2 * pairs / d_model) * torch.log(torch.tensor(10000.0)))
    return torch.cat([angle.sin().unsqueeze(-1), angle.cos().unsqueeze(-1)], -1).view(n, -1)
