# mistakes: dropout-active-in-eval
import torch
import torch.nn.functional as F


def softmax(x, dim=-1):
    top = x.max(dim, keepdim=True)[0]
    num = torch.exp(x - top)
    return num / torch.sum(num, dim, keepdim=True)


def attention_scores(Q, K):
    d = Q.shape[-1]
    return torch.matmul(Q * d**-0.5, K.transpose(-2, -1))


def attention(Q, K, V):
    att = softmax(attention_scores(Q, K))
    y = F.dropout(att, p=0.2) @ V
    return y, att


def order_gap(fn, x, permutation):
    difference = fn(x)[:, permutation] - fn(x[:, permutation])
    return difference.abs().max().item()
