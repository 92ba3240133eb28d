# mistakes: interp-invariant-vs-equivariant
import torch


def softmax(x, dim=-1):
    e = torch.exp(x - x.amax(dim=dim, keepdim=True))
    return e / e.sum(dim=dim, keepdim=True)


def attention_scores(Q, K):
    return Q @ K.mT * Q.shape[-1] ** -0.5


def attention(Q, K, V):
    weights = softmax(attention_scores(Q, K))
    return weights @ V, weights


def order_gap(fn, x, permutation):
    shuffled = torch.stack([x[:, i] for i in permutation.tolist()], dim=1)
    worst = 0.0
    for a, b in zip(fn(x).flatten().tolist(), fn(shuffled).flatten().tolist()):
        worst = max(worst, abs(a - b))
    return worst
