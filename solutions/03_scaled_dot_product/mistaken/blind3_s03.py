# mistakes: order-gap-moved-back-wrongly
import math
import torch
from torch import Tensor

def softmax(x, dim=-1):
    x = x - x.max(dim=dim, keepdim=True).values
    return x.exp() / x.exp().sum(dim=dim, keepdim=True)

def attention_scores(Q, K):
    scale = K.shape[-1] ** -0.5
    return torch.matmul(Q * scale, K.transpose(-1, -2))

def attention(Q, K, V):
    w = softmax(attention_scores(Q, K), dim=-1)
    return w.matmul(V), w

def order_gap(fn, x, permutation):
    back = torch.argsort(permutation)
    before = fn(x[:, permutation, :])
    after = fn(x)[:, back, :]
    return (before - after).abs().max().item()
