# mistakes: order-gap-signed
import math
import torch
from torch import Tensor

def softmax(x, dim=-1):
    pieces = []
    for row in x.unbind(dim):
        pieces.append(row)
    top = pieces[0]
    for p in pieces[1:]:
        top = torch.maximum(top, p)
    exps = [torch.exp(p - top) for p in pieces]
    total = sum(exps)
    return torch.stack([e / total for e in exps], dim=dim)

def attention_scores(Q, K):
    return (Q @ K.transpose(-2, -1)) / math.sqrt(Q.shape[-1])

def attention(Q, K, V):
    weights = softmax(attention_scores(Q, K))
    return weights @ V, weights

def order_gap(fn, x, permutation):
    difference = fn(x[:, permutation]) - fn(x)[:, permutation]
    return difference.max().item()
