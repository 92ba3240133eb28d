# mistakes: interp-invariant-vs-equivariant, score-scale-without-root
import math
import torch
from torch import Tensor

def softmax(x, dim=-1):
    shifted = x - x.max(dim, keepdim=True)[0]
    e = torch.exp(shifted)
    return e / e.sum(dim, keepdim=True)

def attention_scores(Q, K):
    width = Q.shape[-1]
    return torch.matmul(Q, K.transpose(-2, -1)).div(width)

def attention(Q, K, V):
    weights = softmax(attention_scores(Q, K), dim=-1)
    output = torch.matmul(weights, V)
    return output, weights

def order_gap(fn, x, permutation):
    shuffled = x[:, permutation]
    return (fn(shuffled) - fn(x)).abs().max().item()
