# accepted: einsum for everything, keep times exp
import torch
from torch import nn


def split_heads(x, num_heads):
    if num_heads < 1 or x.shape[-1] % num_heads:
        raise ValueError("heads")
    groups = x.reshape(*x.shape[:-1], num_heads, x.shape[-1] // num_heads)
    return torch.einsum("bthd->bhtd", groups)


def merge_heads(x):
    return torch.einsum("bhtd->bthd", x).flatten(start_dim=2)


def look_up(Q, K, V, mask=None):
    scores = torch.einsum("bhid,bhjd->bhij", Q, K) / Q.shape[-1] ** 0.5
    if mask is None:
        mask = torch.zeros((), dtype=torch.bool, device=Q.device)
    scores = torch.where(mask, torch.finfo(scores.dtype).min, scores)
    e = torch.exp(scores - scores.amax(-1, keepdim=True)) * ~mask
    weights = e / e.sum(-1, keepdim=True).clamp(min=1e-30)
    return torch.einsum("bhij,bhjd->bhid", weights, V), weights


def multi_head_attention(x, W_Q, W_K, W_V, W_O, num_heads, mask=None):
    d_model = x.shape[-1]
    if num_heads < 1 or d_model % num_heads:
        raise ValueError("heads")
    d_k = d_model // num_heads
    q = torch.einsum("btc,chd->bhtd", x, W_Q.reshape(d_model, num_heads, d_k))
    k = torch.einsum("btc,chd->bhtd", x, W_K.reshape(d_model, num_heads, d_k))
    v = torch.einsum("btc,chd->bhtd", x, W_V.reshape(d_model, num_heads, d_k))
    mixed, weights = look_up(q, k, v, mask)
    return torch.einsum("bhtd,hdc->btc", mixed, W_O.reshape(num_heads, d_k, d_model)), weights


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, bias=False):
        super().__init__()
        if num_heads < 1 or d_model % num_heads != 0:
            raise ValueError("d_model must be divisible by num_heads")
        self.num_heads = num_heads
        self.W_Q = nn.Linear(d_model, d_model, bias=bias)
        self.W_K = nn.Linear(d_model, d_model, bias=bias)
        self.W_V = nn.Linear(d_model, d_model, bias=bias)
        self.W_O = nn.Linear(d_model, d_model, bias=bias)

    def forward(self, x, mask=None):
        q = split_heads(self.W_Q(x), self.num_heads)
        k = split_heads(self.W_K(x), self.num_heads)
        v = split_heads(self.W_V(x), self.num_heads)
        out, weights = look_up(q, k, v, mask)
        return self.W_O(merge_heads(out)), weights


def copy_weights(mine, theirs):
    three = torch.stack(theirs.in_proj_weight.chunk(3)).detach()
    mine.W_Q.weight, mine.W_K.weight, mine.W_V.weight = (nn.Parameter(part.clone()) for part in three)
    mine.W_O.weight = nn.Parameter(theirs.out_proj.weight.detach().clone())
    if theirs.in_proj_bias is not None:
        three = theirs.in_proj_bias.detach().reshape(3, -1)
        mine.W_Q.bias, mine.W_K.bias, mine.W_V.bias = (nn.Parameter(part.clone()) for part in three)
        mine.W_O.bias = nn.Parameter(theirs.out_proj.bias.detach().clone())
