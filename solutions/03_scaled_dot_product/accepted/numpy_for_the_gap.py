# accepted: the gap by NumPy, scale by NumPy
import numpy as np
import torch


def softmax(x, dim=-1):
    e = torch.exp(x - torch.max(x, dim, keepdim=True).values)
    return torch.divide(e, torch.sum(e, dim, keepdim=True))


def attention_scores(Q, K):
    return Q @ K.transpose(-1, -2) / float(np.sqrt(Q.shape[-1]))


def attention(Q, K, V):
    w = softmax(attention_scores(Q, K))
    return w @ V, w


def order_gap(fn, x, permutation):
    before = fn(x[:, permutation]).detach().cpu().numpy()
    after = fn(x).detach().cpu().numpy()[:, permutation.cpu().numpy()]
    return np.abs(before - after).max()
