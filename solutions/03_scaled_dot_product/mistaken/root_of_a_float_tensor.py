# mistakes: score-scale-tensor-widens
import torch


def softmax(x, dim=-1):
    e = torch.exp(x - x.amax(dim=dim, keepdim=True))
    return e / e.sum(dim=dim, keepdim=True)


def attention_scores(Q, K):
    scale = torch.sqrt(torch.FloatTensor([Q.shape[-1]])).to(Q.device)
    energy = torch.matmul(Q, K.transpose(-2, -1)) / scale
    return energy


def attention(Q, K, V):
    weights = softmax(attention_scores(Q, K).type_as(V))
    return torch.matmul(weights, V), weights


def order_gap(fn, x, permutation):
    return (fn(x[:, permutation]) - fn(x)[:, permutation]).abs().max().item()
