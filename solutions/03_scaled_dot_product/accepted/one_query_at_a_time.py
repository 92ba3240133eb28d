# accepted: loops over samples and queries
import math

import torch


def softmax(x, dim=-1):
    slices = x.unbind(dim)
    top = slices[0]
    for s in slices[1:]:
        top = torch.maximum(top, s)
    powers = [torch.exp(s - top) for s in slices]
    total = sum(powers)
    return torch.stack([p / total for p in powers], dim=dim)


def attention_scores(Q, K):
    rows = []
    for i in range(Q.shape[-2]):
        q = Q[..., i : i + 1, :]
        rows.append((q * K).sum(dim=-1) / math.sqrt(Q.shape[-1]))
    return torch.stack(rows, dim=-2)


def attention(Q, K, V):
    weights = softmax(attention_scores(Q, K))
    output = 0
    for j in range(V.shape[-2]):
        output = output + weights[..., j : j + 1] * V[..., j : j + 1, :]
    return output, weights


def order_gap(fn, x, permutation):
    moved = torch.empty_like(x)
    result = fn(x)
    expected = torch.empty_like(result)
    for place, token in enumerate(permutation.tolist()):
        moved[:, place] = x[:, token]
        expected[:, place] = result[:, token]
    return max((fn(moved) - expected).abs().flatten().tolist())
