# accepted: other names for the arguments, weights computed in two halves
import torch


def softmax(values, dim=-1):
    ceiling = values.amax(dim=dim, keepdim=True)
    mass = torch.exp(values - ceiling)
    return mass / mass.sum(dim=dim, keepdim=True)


def attention_scores(query, key):
    assert query.shape[-1] == key.shape[-1], "queries and keys have different widths"
    width = query.shape[-1]
    half = width // 2
    first = query[..., :half] @ key[..., :half].transpose(-2, -1)
    second = query[..., half:] @ key[..., half:].transpose(-2, -1)
    return (first + second) / width**0.5


def attention(query, key, value):
    assert key.shape[-2] == value.shape[-2]
    shares = softmax(attention_scores(query, key), dim=query.dim() - 1)
    return shares @ value, shares


def order_gap(function, tokens, order):
    assert tokens.dim() == 3
    results = [function(tokens[:, order]), function(tokens)[:, order]]
    return torch.stack(results).diff(dim=0).abs().max().item()
