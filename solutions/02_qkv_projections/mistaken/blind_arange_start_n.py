# mistakes: pos-n-taken-as-end
# sinusoidal_positions takes n as the end, so with start it returns n - start rows.
import torch
from torch import nn, Tensor


def project(x: Tensor, W: Tensor) -> Tensor:
    return x.matmul(W)


def qkv(x: Tensor, W_Q: Tensor, W_K: Tensor, W_V: Tensor):
    return x.matmul(W_Q), x.matmul(W_K), x.matmul(W_V)


def matrix_of(linear: nn.Linear) -> Tensor:
    return linear.weight.mT


class QKVProjection(nn.Module):
    def __init__(self, d_model: int, d_k: int, d_v: int):
        super().__init__()
        make = lambda out: nn.Linear(d_model, out, bias=False)  # noqa: E731
        self.W_Q, self.W_K, self.W_V = make(d_k), make(d_k), make(d_v)

    def forward(self, x: Tensor):
        return self.W_Q(x), self.W_K(x), self.W_V(x)


def sinusoidal_positions(n: int, d_model: int, start: int = 0) -> Tensor:
    pos = torch.arange(start, n, dtype=torch.float)
    i = torch.arange(0, d_model, 2, dtype=torch.float)
    theta = pos[:, None] / torch.pow(10000.0, i / d_model)[None, :]
    table = torch.empty(len(pos), d_model)
    table[:, ::2] = theta.sin()
    table[:, 1::2] = theta.cos()
    return table
