# mistakes: softmax-over-query-axis
import math
import torch
from torch import Tensor

def softmax(x, dim=-1):
    top, _ = torch.max(x, dim, keepdim=True)
    e = torch.exp(x - top)
    return e / torch.sum(e, dim, keepdim=True)

def attention_scores(Q, K):
    return Q @ K.mT / Q.size(-1) ** 0.5

def attention(Q, K, V):
    S = attention_scores(Q, K)
    P = softmax(S, dim=-2)
    mixed = (P.unsqueeze(-1) * V.unsqueeze(-3)).sum(dim=-2)
    return mixed, P

def order_gap(fn, x, permutation):
    a = fn(x.index_select(1, permutation))
    b = fn(x).index_select(1, permutation)
    return float(torch.max(torch.abs(a - b)))
