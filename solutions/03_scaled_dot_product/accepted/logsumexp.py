# accepted: exp(x - logsumexp(x))
import math

import torch


def softmax(x, dim=-1):
    return torch.exp(x - torch.logsumexp(x, dim=dim, keepdim=True))


def attention_scores(Q, K):
    d_k = Q.size(-1)
    return (1.0 / math.sqrt(d_k)) * torch.matmul(Q, torch.transpose(K, -1, -2))


def attention(Q, K, V):
    scores = attention_scores(Q, K)
    weights = torch.exp(scores - scores.logsumexp(-1, keepdim=True))
    return weights @ V, weights


def order_gap(fn, x, permutation):
    gap = torch.linalg.vector_norm(fn(x)[:, permutation] - fn(x[:, permutation]), ord=float("inf"))
    return gap.item()
