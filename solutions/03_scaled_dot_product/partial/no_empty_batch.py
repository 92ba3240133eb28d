# may lose: test_an_empty_batch_a_single_number_and_equal_ones_work, test_scores_with_any_leading_axes, test_one_token_an_empty_batch_and_a_second_call_work
import math

import torch


def softmax(x, dim=-1):
    assert x.numel() > 0, "nothing to share out"
    e = torch.exp(x - x.amax(dim=dim, keepdim=True))
    return e / e.sum(dim=dim, keepdim=True)


def attention_scores(Q, K):
    if Q.ndim == 2:
        return Q @ K.transpose(0, 1) / math.sqrt(Q.shape[-1])
    return torch.stack([attention_scores(q, k) for q, k in zip(Q, K)])


def attention(Q, K, V):
    weights = softmax(attention_scores(Q, K))
    return weights @ V, weights


def order_gap(fn, x, permutation):
    return (fn(x[:, permutation]) - fn(x)[:, permutation]).abs().max().item()
