# accepted: computed in float32, cast back to the dtype that came in
import torch


def softmax(x, dim=-1):
    y = x.float()
    y = torch.exp(y - y.amax(dim=dim, keepdim=True))
    y = y / y.sum(dim=dim, keepdim=True)
    return y.to(x.dtype)


def attention_scores(Q, K):
    scores = Q.float() @ K.float().transpose(-2, -1)
    return (scores / Q.shape[-1] ** 0.5).to(Q.dtype)


def attention(Q, K, V):
    weights = softmax(attention_scores(Q, K))
    output = (weights.float() @ V.float()).type_as(V)
    return output, weights


def order_gap(fn, x, permutation):
    return float((fn(x[:, permutation]).float() - fn(x)[:, permutation].float()).abs().max())
