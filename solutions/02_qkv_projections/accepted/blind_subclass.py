# accepted: the class inherits from a ModuleDict-like base of the learner's own; matrix_of through autograd of the layer
import math
import torch
from torch import nn


def project(x, W):
    lead = x.shape[:-1]
    return torch.mm(x.reshape(-1, x.shape[-1]), W).view(*lead, W.shape[1])


def qkv(x, W_Q, W_K, W_V):
    sizes = [W.shape[1] for W in (W_Q, W_K, W_V)]
    return torch.split(project(x, torch.cat((W_Q, W_K, W_V), 1)), sizes, -1)


def matrix_of(linear):
    eye = torch.eye(linear.in_features, dtype=linear.weight.dtype, device=linear.weight.device)
    zero = torch.zeros_like(eye[:1])
    return linear(eye) - linear(zero)


class Base(nn.Module):
    def linear(self, i, o):
        layer = nn.Linear(i, o, bias=False)
        nn.init.xavier_uniform_(layer.weight)
        return layer


class QKVProjection(Base):
    def __init__(self, d_model, d_k, d_v, init="xavier"):
        super().__init__()
        self.init = init
        self.W_Q = self.linear(d_model, d_k)
        self.W_K = self.linear(d_model, d_k)
        self.W_V = self.linear(d_model, d_v)

    def forward(self, x):
        return self.W_Q(x), self.W_K(x), self.W_V(x)


def sinusoidal_positions(n, d_model, start=0):
    even = torch.arange(0, d_model, 2, dtype=torch.float64)
    rates = torch.exp(-math.log(10000) * even / d_model)
    phase = torch.arange(start, start + n, dtype=torch.float64)[:, None] * rates
    z = torch.polar(torch.ones_like(phase), phase)
    return torch.view_as_real(z)[..., [1, 0]].reshape(n, d_model).float()
