# mistakes: softmax-global-max
import torch


def softmax(x, dim=-1):
    if x.numel() > 0:
        x = x - x.max()
    powers = x.exp()
    return powers / powers.sum(dim=dim, keepdim=True)


def attention_scores(Q, K):
    return torch.einsum("...qd,...kd->...qk", Q, K) / Q.shape[-1] ** 0.5


def attention(Q, K, V):
    A = softmax(attention_scores(Q, K))
    return A @ V, A


def order_gap(fn, x, permutation):
    return float((fn(x)[:, permutation] - fn(x[:, permutation])).abs().max())
