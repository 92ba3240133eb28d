# accepted: layers of a class of their own
"""Three views of the same token: queries, keys and values, and the positions that are put in from outside."""

import torch
from torch import nn


def project(x, W):
    """Multiply every token of `x` `(..., T, d_in)` by the matrix `W` `(d_in, d_out)`: `(..., T, d_out)`.

    `@` works on the last two axes and repeats the product over all axes before them, so that one line serves
    a single sentence, a batch, and a batch of heads.
    """
    projected = x @ W  # (..., T, d_in) @ (d_in, d_out) -> (..., T, d_out)
    return projected


def qkv(x, W_Q, W_K, W_V):
    """What each token of `x` `(..., T, d_model)` asks, answers to, and hands on: `(Q, K, V)`.

    `W_Q` and `W_K` are `(d_model, d_k)`, because queries and keys are compared with each other; `W_V` is
    `(d_model, d_v)`, because values are only passed along.
    """
    Q = project(x, W_Q)  # (..., T, d_k)
    K = project(x, W_K)  # (..., T, d_k)
    V = project(x, W_V)  # (..., T, d_v)
    return Q, K, V


def matrix_of(linear):
    """The `(d_in, d_out)` matrix W of an `nn.Linear`: `linear(x)` is `x @ W`, plus its bias where it has one.

    PyTorch stores the matrix the other way round, one row for each output. `.T` is a view: a gradient that reaches
    W reaches `linear.weight` too.
    """
    weight = linear.weight  # (d_out, d_in)
    W = weight.T  # (d_in, d_out)
    return W


class Projection(nn.Linear):
    """A layer of its own name."""


class QKVProjection(nn.Module):
    """The same three projections as a layer with its own trainable weights, without biases."""

    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.W_Q = Projection(d_model, d_k, bias=False)
        self.W_K = Projection(d_model, d_k, bias=False)
        self.W_V = Projection(d_model, d_v, bias=False)

    def forward(self, x):
        """`x` `(..., T, d_model)` -> `(Q, K, V)`."""
        Q = self.W_Q(x)  # (..., T, d_k)
        K = self.W_K(x)  # (..., T, d_k)
        V = self.W_V(x)  # (..., T, d_v)
        return Q, K, V


def sinusoidal_positions(n, d_model, start=0):
    """The positions start ... start + n - 1 as rows of sines and cosines: float32 `(n, d_model)`, `d_model` even.

    Columns 2i and 2i + 1 are one clock hand: the sine and cosine of an angle that grows by 10000^(-2i/d_model) with
    each position. The first hand is fast, the last one hardly moves.
    """
    positions = torch.arange(start, start + n, dtype=torch.float32)  # (n,)
    even = torch.arange(0, d_model, 2, dtype=torch.float32)  # (d_model / 2,): 2i = 0, 2, 4, ...
    exponents = even / d_model  # (d_model / 2,): 0 <= 2i / d_model < 1
    periods = 10000.0**exponents  # (d_model / 2,)
    angles = positions[:, None] / periods  # (n, 1) / (d_model / 2,) -> (n, d_model / 2)
    table = torch.zeros(n, d_model)  # (n, d_model)
    table[:, 0::2] = torch.sin(angles)
    table[:, 1::2] = torch.cos(angles)
    return table
