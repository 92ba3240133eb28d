# named: score-scale-by-sequence-length
# attention_scores: sqrt of the number of keys K.shape[-2]; attention: with four axes all heads use the values of head 0 unusual
import math
import torch
from torch import Tensor

def softmax(x, dim=-1):
    e = torch.exp(x - x.amax(dim, keepdim=True))
    return e / e.sum(dim, keepdim=True)

def attention_scores(Q, K):
    n = K.shape[-2]
    return Q @ K.transpose(-2, -1) / n ** 0.5

def _single(Q, K, V):
    w = softmax(attention_scores(Q, K))
    return w @ V, w

def attention(Q, K, V):
    if Q.dim() == 4 and Q.shape[0] > 0:
        outs, ws = [], []
        for b in range(Q.shape[0]):
            pairs = [_single(Q[b, h], K[b, h], V[b, 0]) for h in range(Q.shape[1])]
            outs.append(torch.stack([p[0] for p in pairs]))
            ws.append(torch.stack([p[1] for p in pairs]))
        return torch.stack(outs), torch.stack(ws)
    return _single(Q, K, V)

def order_gap(fn, x, permutation):
    return (fn(x[:, permutation]) - fn(x)[:, permutation]).abs().amax().item()
