# mistakes: order-gap-one-sample-only, softmax-result-left-in-float32
import math
import torch
from torch import Tensor

def softmax(x, dim=-1):
    x = x.float()
    e = (x - x.amax(dim=dim, keepdim=True)).exp()
    return e / e.sum(dim=dim, keepdim=True)

def attention_scores(Q, K):
    return torch.einsum("...id,...jd->...ij", Q, K) / (Q.shape[-1] ** 0.5)

def attention(Q, K, V):
    s = attention_scores(Q, K)
    e = torch.exp(s - s.amax(-1, keepdim=True))
    w = e / e.sum(-1, keepdim=True)
    return torch.einsum("...ij,...jv->...iv", w, V), w

def order_gap(fn, x, permutation):
    one = fn(x[:, permutation])[0]
    two = fn(x)[0]
    worst = 0.0
    for place in range(len(permutation)):
        gap = (one[place] - two[permutation[place]]).abs().max().item()
        worst = max(worst, gap)
    return worst
