# accepted: NumPy names and axes, sums with keepdims, aliases of torch
import numpy as np
import torch


def softmax(x, dim=-1):
    x_max = torch.amax(x, axis=dim, keepdims=True)
    e_x = torch.exp(x - x_max)
    return e_x / torch.sum(e_x, axis=dim, keepdims=True)


def attention_scores(Q, K):
    d_k = Q.shape[-1]
    matmul_qk = Q @ torch.swapaxes(K, -1, -2)
    return matmul_qk / np.sqrt(d_k)


def attention(Q, K, V):
    attention_weights = softmax(attention_scores(Q, K), dim=-1)
    output = attention_weights @ V
    return output, attention_weights


def order_gap(fn, x, permutation):
    perm = permutation.tolist()
    return np.max(np.abs((fn(x)[:, perm] - fn(x[:, perm])).detach().numpy()))
