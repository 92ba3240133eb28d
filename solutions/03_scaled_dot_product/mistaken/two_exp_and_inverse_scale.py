# mistakes: softmax-no-max-subtraction, score-scale-inverted
import torch


def softmax(x, dim=-1):
    return x.exp() / x.exp().sum(dim).unsqueeze(dim)


def attention_scores(Q, K):
    scale = 1 / Q.shape[-1] ** 0.5
    return (Q @ K.transpose(-2, -1)) / scale


def attention(Q, K, V):
    attn = softmax(attention_scores(Q, K))
    return attn @ V, attn


def order_gap(fn, x, permutation):
    return (fn(x[:, permutation]) - fn(x)[:, permutation]).abs().max().item()
