# mistakes: score-scale-rounded-down
import math
import torch
from torch import Tensor

def softmax(x, dim=-1):
    m = x.amax(dim=dim, keepdim=True).detach()
    e = torch.exp(x - m)
    return e / e.sum(dim=dim, keepdim=True)

def attention_scores(Q, K):
    *lead, n_q, d_k = Q.shape
    root = math.isqrt(d_k)
    return Q @ K.transpose(-1, -2) / root

def attention(Q, K, V):
    A = softmax(attention_scores(Q, K))
    return A @ V, A

def order_gap(fn, x, permutation):
    y1 = fn(x[:, permutation])
    y2 = fn(x)[:, permutation]
    return torch.linalg.vector_norm(y1 - y2, ord=float("inf")).item()
