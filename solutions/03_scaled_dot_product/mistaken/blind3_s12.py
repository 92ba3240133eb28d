# mistakes: argument-changed-in-place, order-gap-summed, softmax-default-axis
import math
import torch
from torch import Tensor

def softmax(x, dim=0):
    e = torch.exp(x - x.amax(dim=dim, keepdim=True))
    return e / e.sum(dim=dim, keepdim=True)

def attention_scores(Q, K):
    if Q.requires_grad:
        Q = Q / math.sqrt(Q.shape[-1])
    else:
        Q /= math.sqrt(Q.shape[-1])
    return Q @ K.transpose(-2, -1)

def attention(Q, K, V):
    S = torch.matmul(Q, K.transpose(-2, -1)) / math.sqrt(K.shape[-1])
    W = softmax(S, dim=-1)
    return W @ V, W

def order_gap(fn, x, permutation):
    d = fn(x[:, permutation]) - fn(x)[:, permutation]
    return torch.abs(d).sum().item()
