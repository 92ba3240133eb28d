# mistakes: softmax-no-max-subtraction
import torch


def softmax(x, dim=-1):
    parts = [torch.exp(part) for part in x.unbind(dim)]
    whole = sum(parts) + 1e-9
    return torch.stack([part / whole for part in parts], dim)


def attention_scores(Q, K):
    return torch.einsum("...qd,...kd->...qk", Q, K) * Q.shape[-1] ** -0.5


def attention(Q, K, V):
    w = torch.softmax(attention_scores(Q, K), -1)
    return torch.einsum("...qk,...kv->...qv", w, V), w


def order_gap(fn, x, permutation):
    a = fn(x)[:, permutation, :]
    b = fn(x[:, permutation, :])
    return torch.max(torch.abs(a - b)).item()
