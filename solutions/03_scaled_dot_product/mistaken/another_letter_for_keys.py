# mistakes: einsum-independent-sum
import torch


def softmax(x, dim=-1):
    e = torch.exp(x - x.amax(dim=dim, keepdim=True))
    return e / e.sum(dim=dim, keepdim=True)


def attention_scores(Q, K):
    return torch.einsum("...qd,...kd->...qk", Q, K) / Q.shape[-1] ** 0.5


def attention(Q, K, V):
    attn = softmax(attention_scores(Q, K))
    out = torch.einsum("...qk,...lv->...qv", attn, V)
    return out, attn


def order_gap(fn, x, permutation):
    return (fn(x[:, permutation]) - fn(x)[:, permutation]).abs().max().item()
