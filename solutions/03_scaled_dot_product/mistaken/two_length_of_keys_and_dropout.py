# mistakes: score-scale-by-sequence-length, dropout-active-in-eval
import torch
import torch.nn.functional as F


def softmax(x, dim=-1):
    e = torch.exp(x - x.amax(dim=dim, keepdim=True))
    return e / e.sum(dim=dim, keepdim=True)


def attention_scores(query, key):
    return torch.matmul(query, key.transpose(-2, -1)) * key.size(-2) ** -0.5


def attention(query, key, value, p=0.1):
    weights = F.dropout(softmax(attention_scores(query, key)), p)
    return torch.matmul(weights, value), weights


def order_gap(fn, x, permutation):
    return (fn(x[:, permutation]) - fn(x)[:, permutation]).abs().max().item()
