# mistakes: score-no-scale
import math

import torch


def softmax(x, dim=-1):
    e = torch.exp(x - x.amax(dim=dim, keepdim=True))
    return e / e.sum(dim=dim, keepdim=True)


def attention_scores(Q, K):
    return Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])


def attention(Q, K, V):
    rows, outputs = [], []
    for i in range(Q.shape[-2]):
        row = softmax((Q[..., i : i + 1, :] * K).sum(-1))
        rows.append(row)
        outputs.append((row.unsqueeze(-1) * V).sum(-2))
    return torch.stack(outputs, -2), torch.stack(rows, -2)


def order_gap(fn, x, permutation):
    return (fn(x[:, permutation]) - fn(x)[:, permutation]).abs().max().item()
