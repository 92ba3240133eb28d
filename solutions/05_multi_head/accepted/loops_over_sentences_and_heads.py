# accepted: a table at a time, softmax by hand
import math

import torch
from torch import nn


def split_heads(x, num_heads):
    if num_heads not in range(1, x.shape[-1] + 1) or x.shape[-1] % num_heads:
        raise ValueError("heads")
    columns = torch.arange(x.shape[-1], device=x.device).reshape(num_heads, -1)
    return x[..., columns].movedim(-2, 1)


def merge_heads(x):
    B, H, T, size = x.shape
    out = x.new_zeros(B, T, H * size)
    for head in range(H):
        out[:, :, head * size : (head + 1) * size] = x[:, head]
    return out


def attend(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))
    if mask is not None:
        scores = scores.masked_fill(mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1).nan_to_num(0.0)
    return weights @ v, weights


def multi_head_attention(x, W_Q, W_K, W_V, W_O, num_heads, mask=None):
    B, T, C = x.shape
    Q, K, V = split_heads(x @ W_Q, num_heads), split_heads(x @ W_K, num_heads), split_heads(x @ W_V, num_heads)
    hidden = torch.zeros(B, num_heads, T, T, dtype=torch.bool, device=x.device)
    if mask is not None:
        hidden = hidden | mask
    results = [[one_table(Q[b, h], K[b, h], V[b, h], hidden[b, h]) for h in range(num_heads)] for b in range(B)]
    if B == 0:
        return x @ W_O, x.new_zeros(0, num_heads, T, T)
    mixed = torch.stack([torch.stack([pair[0] for pair in heads]) for heads in results])
    weights = torch.stack([torch.stack([pair[1] for pair in heads]) for heads in results])
    return merge_heads(mixed) @ W_O, weights


def one_table(q, k, v, hidden):
    scores = (q @ k.T / q.shape[-1] ** 0.5).masked_fill(hidden, float("-inf"))
    top = scores.max(dim=-1, keepdim=True).values
    top = torch.where(torch.isinf(top), torch.zeros_like(top), top)
    e = (scores - top).exp()
    total = e.sum(-1, keepdim=True)
    weights = e / torch.where(total == 0, torch.ones_like(total), total)
    return weights @ v, weights


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
        out, weights = attend(q, k, v, mask)
        return self.W_O(merge_heads(out)), weights


def copy_weights(mine, theirs):
    with torch.no_grad():
        w_q, w_k, w_v = theirs.in_proj_weight.chunk(3)
        mine.W_Q.weight.copy_(w_q)
        mine.W_K.weight.copy_(w_k)
        mine.W_V.weight.copy_(w_v)
        mine.W_O.weight.copy_(theirs.out_proj.weight)
        if theirs.in_proj_bias is not None:
            b_q, b_k, b_v = theirs.in_proj_bias.chunk(3)
            mine.W_Q.bias.copy_(b_q)
            mine.W_K.bias.copy_(b_k)
            mine.W_V.bias.copy_(b_v)
            mine.W_O.bias.copy_(theirs.out_proj.bias)
