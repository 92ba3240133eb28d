# accepted: in its own way
import math
import torch
from torch import Tensor

def softmax(x, dim=-1):
    top = total = None
    for piece in x.unbind(dim):
        if top is None:
            top, total = piece, torch.ones_like(piece)
            continue
        new = torch.maximum(top, piece)
        total = total * (top - new).exp() + (piece - new).exp()
        top = new
    return (x - top.unsqueeze(dim)).exp() / total.unsqueeze(dim)

def attention_scores(Q, K):
    return torch.stack([(Q * k.unsqueeze(-2)).sum(-1) for k in K.unbind(-2)], dim=-1) / math.sqrt(K.shape[-1])

def attention(Q, K, V):
    w = softmax(attention_scores(Q, K))
    out = 0
    for j in range(V.shape[-2]):
        out = out + w[..., j, None] * V[..., j, None, :]
    return out, w

def order_gap(fn, x, permutation):
    a, b = fn(x[:, permutation]), fn(x)
    return max(float((a[:, i] - b[:, p]).abs().max()) for i, p in enumerate(permutation.tolist()))
