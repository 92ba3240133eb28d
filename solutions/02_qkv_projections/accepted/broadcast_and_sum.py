# accepted: broadcast product, summed over the features
import torch
from torch import nn


def project(x, W):
    """one number of x times one row of W, summed over the features"""
    return (x.unsqueeze(-1) * W).sum(dim=-2)


def qkv(x, W_Q, W_K, W_V):
    # queries and keys have one width, so they fit into one stack
    QK = torch.einsum("...td,sdk->s...tk", x, torch.stack((W_Q, W_K)))
    return QK[0], QK[1], project(x, W_V)


def matrix_of(linear):
    return linear.weight.mT


class QKVProjection(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.W_Q = nn.Linear(d_model, d_k, bias=False)
        self.W_K = nn.Linear(d_model, d_k, bias=False)
        self.W_V = nn.Linear(d_model, d_v, bias=False)

    def forward(self, x):
        return self.W_Q(x), self.W_K(x), self.W_V(x)


def sinusoidal_positions(n, d_model, start=0):
    # a cosine is a sine a quarter turn earlier
    columns = torch.arange(d_model)
    rate = 10000.0 ** -((columns - columns % 2) / d_model)
    quarter = (columns % 2) * (torch.pi / 2)
    positions = torch.arange(start, start + n).float()
    return torch.sin(positions[:, None] * rate + quarter)
