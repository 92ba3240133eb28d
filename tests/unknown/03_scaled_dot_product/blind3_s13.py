# named: softmax-no-max-subtraction, weights-returned-transposed
# softmax: no maximum subtracted, overflows; attention: weights returned transposed (n_k, n_q); order_gap: difference of the two maxima instead of maximum of the differences unusual
import math
import torch
from torch import Tensor

def softmax(x, dim=-1):
    return x.exp() / x.exp().sum(dim=dim, keepdim=True)

def attention_scores(Q, K):
    rows = [(K * Q[..., i : i + 1, :]).sum(dim=-1) for i in range(Q.shape[-2])]
    return torch.stack(rows, dim=-2) / math.sqrt(Q.shape[-1])

def attention(Q, K, V):
    s = attention_scores(K, Q)  # keys are the rows here
    s = s - s.amax(dim=-2, keepdim=True)
    w = softmax(s, dim=-2)
    return w.transpose(-2, -1) @ V, w

def order_gap(fn, x, permutation):
    before = fn(x[:, permutation]).max()
    after = fn(x)[:, permutation].max()
    return abs(before - after).item()
