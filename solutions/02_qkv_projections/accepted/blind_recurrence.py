# accepted: positions by rotating the pair step by step in complex128; parametrised forward; lambda helpers
import cmath
import torch
from torch import nn

project = lambda x, W: torch.einsum("...i,io->...o", x, W)  # noqa: E731


def qkv(x, W_Q, W_K, W_V):
    return (lambda *Ws: tuple(project(x, W) for W in Ws))(W_Q, W_K, W_V)


matrix_of = lambda linear: linear.weight.mT  # noqa: E731


class QKVProjection(nn.Module):
    names = ("W_Q", "W_K", "W_V")

    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.__dict__["shape"] = (d_model, d_k, d_v)
        for name, width in zip(self.names, (d_k, d_k, d_v)):
            setattr(self, name, nn.Linear(d_model, width, bias=False))

    def forward(self, x, only=None):
        outputs = {name: getattr(self, name)(x) for name in self.names}
        return outputs[only] if only else tuple(outputs.values())


def sinusoidal_positions(n, d_model, start=0):
    step = torch.tensor([cmath.exp(1j * 10000 ** (-2 * k / d_model)) for k in range(d_model // 2)], dtype=torch.complex128)
    turn = step ** start
    rows = []
    for _ in range(n):
        rows.append(torch.stack([turn.imag, turn.real], 1).flatten())
        turn = turn * step
    return torch.stack(rows).float()
