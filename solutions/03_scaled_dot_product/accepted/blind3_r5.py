# accepted: in its own way
import math
import torch
from torch import Tensor

class _Softmax(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, dim):
        e = torch.exp(x - x.amax(dim, keepdim=True))
        y = e / e.sum(dim, keepdim=True)
        ctx.save_for_backward(y)
        ctx.dim = dim
        return y

    @staticmethod
    def backward(ctx, g):
        (y,) = ctx.saved_tensors
        return y * (g - (g * y).sum(ctx.dim, keepdim=True)), None

def softmax(x: Tensor, dim: int = -1) -> Tensor:
    return _Softmax.apply(x, dim)

def attention_scores(Q: Tensor, K: Tensor) -> Tensor:
    return (Q.double() @ K.double().transpose(-1, -2) / math.sqrt(Q.shape[-1])).to(Q.dtype)

def attention(Q: Tensor, K: Tensor, V: Tensor):
    scores = Q.double() @ K.double().transpose(-1, -2) / math.sqrt(Q.shape[-1])
    weights = softmax(scores)
    return [(weights @ V.double()).to(V.dtype), weights.to(Q.dtype)]

def order_gap(fn, x, permutation):
    return (fn(x[:, permutation]) - fn(x)[:, permutation]).abs().flatten().sort().values[-1].item()
