# mistakes: order-gap-one-sample-only, softmax-global-max
import math
import torch
from torch import Tensor

def softmax(x, dim=-1):
    e = torch.exp(x - x.max())
    return e / e.sum(dim=dim, keepdim=True)

def attention_scores(Q, K):
    return torch.einsum("...qc,...kc->...qk", Q, K) * Q.shape[-1] ** -0.5

def attention(Q, K, V):
    s = attention_scores(Q, K)
    e = torch.exp(s - s.max(dim=-1, keepdim=True).values)
    w = e / e.sum(dim=-1, keepdim=True)
    return torch.einsum("...qk,...kv->...qv", w, V), w

def order_gap(fn, x, permutation):
    before = fn(x[:, permutation])
    after = fn(x)[:, permutation]
    for b in range(x.shape[0]):
        gap = (before[b] - after[b]).abs().max()
    return gap.item()
