# accepted: torch.jit.script
import math

import torch
from torch import Tensor


@torch.jit.script
def stable_shares(x: Tensor, dim: int) -> Tensor:
    top = torch.amax(x, dim=[dim], keepdim=True)
    e = torch.exp(x - top)
    return e / torch.sum(e, dim=[dim], keepdim=True)


def softmax(x, dim=-1):
    return stable_shares(x, dim)


def attention_scores(Q, K):
    return torch.matmul(Q, K.transpose(-2, -1)) * (1.0 / math.sqrt(float(Q.shape[-1])))


def attention(Q, K, V):
    weights = stable_shares(attention_scores(Q, K), -1)
    return torch.matmul(weights, V), weights


def order_gap(fn, x, permutation):
    d = fn(x)[:, permutation] - fn(x[:, permutation])
    return max(d.max().item(), -d.min().item())
