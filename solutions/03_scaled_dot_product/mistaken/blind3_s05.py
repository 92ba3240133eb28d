# mistakes: autograd-cut
import math
import torch
from torch import Tensor

def softmax(x, dim=-1):
    numerator = torch.exp(x - torch.amax(x, dim, True))
    return numerator / numerator.sum(dim, True)

def attention_scores(Q, K):
    dots = (Q[..., :, None, :] * K[..., None, :, :]).sum(-1)
    return dots / math.sqrt(K.size(-1))

def attention(Q, K, V):
    with torch.no_grad():
        w = softmax(attention_scores(Q, K), -1)
    out = w @ V
    return out, w

def order_gap(fn, x, permutation):
    gaps = [
        (fn(x[:, permutation])[:, t] - fn(x)[:, p]).abs().max().item()
        for t, p in enumerate(permutation.tolist())
    ]
    return max(gaps)
