# accepted: computed in float64, cast back
import torch


def softmax(x, dim=-1):
    e = torch.exp(x.double() - x.double().amax(dim, keepdim=True))
    return (e / e.sum(dim, keepdim=True)).to(dtype=x.dtype)


def attention_scores(Q, K):
    q, k = Q.to(torch.float64), K.to(torch.float64)
    d = torch.tensor(q.shape[-1], dtype=torch.float64, device=q.device)
    return torch.div(q @ k.transpose(-2, -1), torch.sqrt(d)).to(Q.dtype)


def attention(Q, K, V):
    weights = softmax(attention_scores(Q, K).double(), dim=-1)
    return (weights @ V.double()).to(V.dtype), weights.to(V.dtype)


def order_gap(fn, x, permutation):
    difference = fn(x)[:, permutation].double() - fn(x[:, permutation]).double()
    return difference.abs().max().item()
