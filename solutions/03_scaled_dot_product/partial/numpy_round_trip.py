# may lose: test_the_gradients_of_the_shares_are_right, test_the_gradients_of_the_scores_are_right, test_gradients_reach_queries_keys_and_values, test_shares_keep_the_dtype, test_scores_keep_the_dtype, test_attention_keeps_the_dtype
import numpy as np
import torch


def softmax(x, dim=-1):
    a = x.detach().float().numpy()
    e = np.exp(a - a.max(axis=dim, keepdims=True))
    return torch.from_numpy(e / e.sum(axis=dim, keepdims=True))


def attention_scores(Q, K):
    q, k = Q.detach().float().numpy(), K.detach().float().numpy()
    return torch.from_numpy(q @ np.swapaxes(k, -1, -2) / np.float32(np.sqrt(q.shape[-1])))


def attention(Q, K, V):
    weights = softmax(attention_scores(Q, K))
    return weights @ V.detach().float(), weights


def order_gap(fn, x, permutation):
    p = permutation.numpy()
    before = fn(x[:, p]).detach().numpy()
    after = fn(x).detach().numpy()[:, p]
    return float(np.max(np.abs(before - after)))
