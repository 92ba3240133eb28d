# accepted: F.linear on the layers' weights, packed on the fly; lists returned; typed
from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor, nn


def project(x: Tensor, W: Tensor, bias: Tensor | None = None) -> Tensor:
    return F.linear(x, W.t(), bias)


def qkv(x: Tensor, W_Q: Tensor, W_K: Tensor, W_V: Tensor) -> list[Tensor]:
    return [project(x, W) for W in (W_Q, W_K, W_V)]


def matrix_of(linear: nn.Linear) -> Tensor:
    return dict(linear.named_parameters())["weight"].T.contiguous()


class QKVProjection(nn.Module):
    W_Q: nn.Linear
    W_K: nn.Linear
    W_V: nn.Linear

    def __init__(self, d_model: int, d_k: int, d_v: int, *, device: str | None = None) -> None:
        super().__init__()
        self.W_Q = nn.Linear(d_model, d_k, bias=False, device=device)
        self.W_K = nn.Linear(d_model, d_k, bias=False, device=device)
        self.W_V = nn.Linear(d_model, d_v, bias=False, device=device)

    def forward(self, x: Tensor) -> list[Tensor]:
        layers = (self.W_Q, self.W_K, self.W_V)
        packed = torch.cat([layer.weight for layer in layers])
        return list(F.linear(x, packed).split([layer.out_features for layer in layers], dim=-1))


def sinusoidal_positions(n: int, d_model: int, start: int = 0, base: float = 10_000.0) -> Tensor:
    columns = torch.arange(d_model)
    angle = torch.arange(start, start + n).unsqueeze(1) / base ** ((columns - columns % 2) / d_model)
    # a cosine is a sine a quarter turn ahead
    return torch.sin(angle.double() + (columns % 2) * torch.pi / 2).float()
