# accepted: in its own way
import math
import torch
from torch import Tensor

def softmax(x, dim=-1):
    x = x - x.amax(dim=dim, keepdim=True)
    return torch.exp(x - torch.logsumexp(x, dim=dim, keepdim=True))

def attention_scores(Q, K):
    f = Q.shape[-1] ** 0.25
    return (Q / f) @ (K / f).mT

def attention(Q, K, V):
    w = softmax(attention_scores(Q, K))
    return w @ V, w

def order_gap(fn, x, permutation):
    inverse = torch.empty_like(permutation)
    inverse[permutation] = torch.arange(len(permutation))
    return (fn(x[:, permutation])[:, inverse] - fn(x)).abs().max().item()
