# accepted: in its own way
import math
import torch
from torch import Tensor

def softmax(x, dim=-1):
    y = x.movedim(dim, -1)
    y = (y - y.sort(dim=-1, descending=True).values[..., :1]).exp()
    y = torch.nn.functional.normalize(y, p=1, dim=-1)
    return y.movedim(-1, dim)

def attention_scores(Q, K):
    return torch.tensordot(Q, K, dims=([1], [1])) / Q.shape[1] ** 0.5 if Q.dim() == 2 else torch.einsum("...qd,...kd->...qk", Q, K) / Q.shape[-1] ** 0.5

def attention(Q, K, V):
    w = softmax(attention_scores(Q, K), -1)
    return (V.mT @ w.mT).mT, w

def order_gap(fn, x, permutation):
    d = torch.gather(fn(x), 1, permutation[None, :, None].expand_as(x)) - fn(torch.gather(x, 1, permutation[None, :, None].expand_as(x)))
    return max(d.max().item(), -d.min().item())
