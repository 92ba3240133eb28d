# accepted: scale as a 0-d float32 tensor, einsum with fixed letters for each number of axes
import torch

LETTERS = {2: "qd,kd->qk", 3: "bqd,bkd->bqk", 4: "bhqd,bhkd->bhqk"}
MIX = {2: "qk,kv->qv", 3: "bqk,bkv->bqv", 4: "bhqk,bhkv->bhqv"}


def softmax(x, dim=-1):
    x = x - torch.max(x, dim=dim, keepdim=True)[0]
    x = x.exp()
    return x / x.sum(dim=dim, keepdim=True)


def attention_scores(Q, K):
    temperature = torch.sqrt(torch.tensor(Q.shape[-1], device=Q.device))
    return torch.einsum(LETTERS[Q.ndim], Q, K) / temperature


def attention(Q, K, V):
    weights = softmax(attention_scores(Q, K))
    return torch.einsum(MIX[V.ndim], weights, V), weights


def order_gap(fn, x, permutation):
    P = torch.eye(len(permutation), dtype=x.dtype, device=x.device)[permutation]
    return (fn(P @ x) - P @ fn(x)).abs().max().item()
