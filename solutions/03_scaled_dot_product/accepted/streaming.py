# accepted: keys one after the other, with a running maximum
import math

import torch


def softmax(x, dim=-1):
    largest = torch.full_like(x.select(dim, 0), -math.inf)
    total = torch.zeros_like(largest)
    for i in range(x.size(dim)):
        new = torch.maximum(largest, x.select(dim, i))
        total = total * torch.exp(largest - new) + torch.exp(x.select(dim, i) - new)
        largest = new
    return torch.exp(x - largest.unsqueeze(dim)) / total.unsqueeze(dim)


def attention_scores(Q, K):
    return torch.stack([(Q * K[..., j : j + 1, :]).sum(-1) for j in range(K.size(-2))], -1) * Q.size(-1) ** -0.5


def attention(Q, K, V):
    scores = attention_scores(Q, K)
    weights = softmax(scores)
    running = torch.zeros(*Q.shape[:-1], V.shape[-1], dtype=V.dtype, device=V.device)
    for j in range(K.size(-2)):
        running = torch.addcmul(running, weights[..., j, None], V[..., j, None, :])
    return running, weights


def order_gap(fn, x, permutation):
    largest = 0.0
    for a, b in zip(fn(x[:, permutation]).unbind(0), fn(x)[:, permutation].unbind(0)):
        largest = max(largest, float((a - b).abs().max()))
    return largest
