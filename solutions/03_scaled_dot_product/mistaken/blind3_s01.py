# mistakes: score-scale-by-sequence-length
import math
import torch
from torch import Tensor

def softmax(x, dim=-1):
    z = x - x.amax(dim=dim, keepdim=True)
    e = z.exp()
    return e / e.sum(dim=dim, keepdim=True)

def attention_scores(Q, K):
    d_k = Q.shape[1]
    return torch.einsum("...qd,...kd->...qk", Q, K) / math.sqrt(d_k)

def attention(Q, K, V):
    A = softmax(attention_scores(Q, K))
    return torch.einsum("...qk,...kv->...qv", A, V), A

def order_gap(fn, x, permutation):
    first = fn(x[:, permutation])
    second = fn(x)[:, permutation]
    return (first - second).abs().max().item()
