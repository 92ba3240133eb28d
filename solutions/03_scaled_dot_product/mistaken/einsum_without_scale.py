# mistakes: score-no-scale
import torch


def softmax(x, dim=-1):
    m = x.max(dim=dim, keepdim=True).values
    s = (x - m).exp()
    return s / s.sum(dim=dim, keepdim=True)


def attention_scores(Q, K):
    return torch.einsum("...id,...jd->...ij", Q, K)


def attention(Q, K, V):
    alpha = torch.nn.functional.softmax(torch.einsum("...id,...jd->...ij", Q, K), dim=-1)
    context = torch.einsum("...ij,...je->...ie", alpha, V)
    return context, alpha


def order_gap(fn, x, permutation):
    y = fn(x)
    return (y.index_select(1, permutation) - fn(x.index_select(1, permutation))).abs().max().item()
