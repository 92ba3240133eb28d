# accepted: a dataclass config, add_module in a loop, named tuple as the triple
import collections
import dataclasses
import functools
import torch
from torch import nn

Triple = collections.namedtuple("Triple", ["queries", "keys", "values"])


@dataclasses.dataclass
class Sizes:
    d_model: int
    d_k: int
    d_v: int

    def outputs(self):
        return {"W_Q": self.d_k, "W_K": self.d_k, "W_V": self.d_v}


def project(x, W):
    return (x.unsqueeze(-1) * W).sum(-2)


def qkv(x, W_Q, W_K, W_V):
    return Triple(*map(functools.partial(project, x), (W_Q, W_K, W_V)))


def matrix_of(linear):
    return torch.stack(linear.weight.unbind(0), dim=1)


class QKVProjection(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.sizes = Sizes(d_model, d_k, d_v)
        for name, out in self.sizes.outputs().items():
            self.add_module(name, nn.Linear(d_model, out, bias=False))

    def forward(self, x):
        return Triple(*(layer(x) for layer in self.children()))


@functools.lru_cache(maxsize=32)
def _rates(d_model):
    return torch.tensor([10000 ** (-2 * (c // 2) / d_model) for c in range(d_model)], dtype=torch.float64)


def sinusoidal_positions(n, d_model, start=0):
    table = torch.arange(start, start + n)[:, None] * _rates(d_model)
    table[:, ::2].sin_()
    table[:, 1::2].cos_()
    return table.to(torch.float32)
