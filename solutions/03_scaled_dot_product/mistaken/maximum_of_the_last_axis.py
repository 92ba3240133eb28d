# mistakes: softmax-axis-used-once
import torch


def softmax(x, dim=-1):
    row_max = x.max(dim=-1, keepdim=True).values
    e_x = torch.exp(x - row_max)
    return e_x / e_x.sum(dim=dim, keepdim=True)


def attention_scores(Q, K):
    scale = K.shape[-1] ** -0.5
    return scale * (Q @ K.transpose(-2, -1))


def attention(Q, K, V):
    w = softmax(attention_scores(Q, K), dim=-1)
    return w @ V, w


def order_gap(fn, x, permutation):
    return torch.abs(fn(x)[:, permutation] - fn(x[:, permutation])).max().item()
