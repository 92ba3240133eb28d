# accepted: in its own way
import math
import torch
from torch import Tensor

def softmax(x, dim=-1):
    size = x.shape[dim]
    gap = x.unsqueeze(dim if dim < 0 else dim + 1)
    y = x.movedim(dim, -1)
    y = y - y.amax(-1, keepdim=True)
    out = y.exp() / (y.exp() @ torch.ones(size, size, dtype=x.dtype))
    return out.movedim(-1, dim)

def _each(f, *tensors):
    if tensors[0].dim() == 2 or 0 in tensors[0].shape:
        return f(*tensors)
    return torch.stack([_each(f, *parts) for parts in zip(*tensors)])

def attention_scores(Q, K):
    return _each(lambda q, k: q.matmul(k.transpose(-1, -2)), Q, K) / Q.shape[-1] ** 0.5

def attention(Q, K, V):
    weights = softmax(attention_scores(Q, K))
    return _each(torch.matmul, weights, V), weights

def order_gap(fn, x, permutation):
    p = permutation.tolist()
    left = fn(torch.stack([x[:, i] for i in p], dim=1))
    whole = fn(x)
    right = torch.stack([whole[:, i] for i in p], dim=1)
    return torch.dist(left, right, p=float("inf")).item()
