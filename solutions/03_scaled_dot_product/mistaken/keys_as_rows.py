# mistakes: softmax-over-query-axis
import torch


def softmax(x, dim=-1):
    biggest = torch.max(x, dim, keepdim=True).values
    powers = torch.exp(x - biggest)
    return powers / powers.sum(dim, keepdim=True)


def attention_scores(Q, K):
    return Q @ K.mT / Q.shape[-1] ** 0.5


def attention(Q, K, V):
    # one row for each key, as in K Q^T
    by_key = attention_scores(Q, K).mT
    by_key = softmax(by_key)
    weights = by_key.mT
    return weights @ V, weights


def order_gap(fn, x, permutation):
    one, two = fn(x[:, permutation]), fn(x)[:, permutation]
    return (one - two).abs().amax().item()
