# mistakes: score-scale-applied-twice, weights-replaced-by-scores
import math
import torch
from torch import Tensor

def softmax(x, dim=-1):
    e = torch.exp(x - x.amax(dim=dim, keepdim=True))
    return e / e.sum(dim=dim, keepdim=True)

def attention_scores(Q, K):
    return Q @ K.transpose(-1, -2) / math.sqrt(Q.shape[-1])

def attention(Q, K, V):
    scores = attention_scores(Q, K) / math.sqrt(Q.shape[-1])
    out = softmax(scores) @ V
    return out, scores

def order_gap(fn, x, permutation):
    a, b = fn(x[:, permutation]), fn(x)[:, permutation]
    return max(abs(p - q) for p, q in zip(a.flatten().tolist(), b.flatten().tolist()))
