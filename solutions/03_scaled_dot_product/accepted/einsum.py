# accepted: einsum throughout, scale multiplied
import torch


def softmax(x, dim=-1):
    e = (x - torch.amax(x, dim, keepdim=True)).exp()
    return e / torch.sum(e, dim, keepdim=True)


def attention_scores(Q, K):
    scale = Q.shape[-1] ** -0.5
    return torch.einsum("...id,...jd->...ij", Q, K) * scale


def attention(Q, K, V):
    attn = softmax(attention_scores(Q, K), dim=-1)
    out = torch.einsum("...ij,...jv->...iv", attn, V)
    return out, attn


def order_gap(fn, x, permutation):
    difference = fn(x).index_select(1, permutation) - fn(x.index_select(1, permutation))
    return torch.max(torch.abs(difference)).item()
