# accepted: broadcast product and sum, weighted average by broadcasting
import torch


def softmax(x, dim=-1):
    e = torch.exp(x.sub(x.amax(dim).unsqueeze(dim)))
    return e.div(e.sum(dim).unsqueeze(dim))


def attention_scores(Q, K):
    return (Q.unsqueeze(-2) * K.unsqueeze(-3)).sum(-1).mul(Q.shape[-1] ** -0.5)


def attention(Q, K, V):
    w = softmax(attention_scores(Q, K))
    return (w.unsqueeze(-1) * V.unsqueeze(-3)).sum(-2), w


def order_gap(fn, x, permutation):
    index = permutation[None, :, None].expand(x.shape[0], -1, x.shape[2])
    before = fn(torch.gather(x, 1, index))
    after = fn(x).gather(1, index)
    return (before - after).abs().max().item()
