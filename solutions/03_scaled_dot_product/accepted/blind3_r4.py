# accepted: in its own way
import math
import torch
from torch import Tensor

def softmax(x, dim=-1):
    m, _ = x.detach().max(dim=dim, keepdim=True)
    e = (x - m).exp()
    return e * e.sum(dim=dim, keepdim=True).reciprocal()

def _flat(t):
    return t.reshape(math.prod(t.shape[:-2]), *t.shape[-2:])

def attention_scores(Q, K):
    s = torch.bmm(_flat(Q), _flat(K).transpose(1, 2)) / math.sqrt(Q.shape[-1])
    return s.reshape(*Q.shape[:-1], K.shape[-2])

def attention(Q, K, V):
    w = softmax(attention_scores(Q, K))
    return torch.bmm(_flat(w), _flat(V)).reshape(*w.shape[:-1], V.shape[-1]), w

def order_gap(fn, x, permutation):
    P = torch.eye(x.shape[1], dtype=x.dtype)[permutation]
    return (fn(P @ x) - P @ fn(x)).abs().max()
