# may lose: test_shares_keep_the_dtype, test_scores_keep_the_dtype, test_attention_keeps_the_dtype
import math

import torch


def softmax(x, dim=-1):
    x = x.to(torch.float32)
    e = torch.exp(x - x.amax(dim=dim, keepdim=True))
    return e / e.sum(dim=dim, keepdim=True)


def attention_scores(Q, K):
    Q, K = Q.float(), K.float()
    return Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])


def attention(Q, K, V):
    weights = softmax(attention_scores(Q, K))
    return weights @ V.float(), weights


def order_gap(fn, x, permutation):
    return (fn(x[:, permutation]) - fn(x)[:, permutation]).abs().max().item()
