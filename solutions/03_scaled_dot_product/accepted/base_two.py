# accepted: powers of two of x times log2(e)
import math

import torch

LOG2_E = math.log2(math.e)


def softmax(x, dim=-1):
    shifted = (x - x.amax(dim, keepdim=True)) * LOG2_E
    powers = torch.exp2(shifted)
    return powers / powers.sum(dim, keepdim=True)


def attention_scores(Q, K):
    return torch.inner(Q, K) / Q.shape[-1] ** 0.5 if Q.dim() == 2 else Q @ K.mT / Q.shape[-1] ** 0.5


def attention(Q, K, V):
    weights = softmax(attention_scores(Q, K))
    return weights @ V, weights


def order_gap(fn, x, permutation):
    gaps = (fn(x)[:, permutation] - fn(x[:, permutation])).abs()
    return gaps.amax(dim=(1, 2)).max().item()
