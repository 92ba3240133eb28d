# mistakes: order-gap-signed
import math

import torch


def softmax(x, dim=-1):
    e = torch.exp(x - x.amax(dim=dim, keepdim=True))
    return e / e.sum(dim=dim, keepdim=True)


def attention_scores(Q, K):
    return Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])


def attention(Q, K, V):
    weights = softmax(attention_scores(Q, K))
    return weights @ V, weights


def order_gap(fn, x, permutation):
    moved_in, moved_out = fn(x[:, permutation]), fn(x)
    gap = 0.0
    for b in range(x.shape[0]):
        for place, token in enumerate(permutation):
            for f in range(x.shape[2]):
                difference = moved_in[b, place, f].item() - moved_out[b, token, f].item()
                if difference > gap:
                    gap = difference
    return gap
