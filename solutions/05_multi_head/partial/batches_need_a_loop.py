# may lose: test_one_token_no_sentence_and_rows_with_gaps
import math

import torch
from torch import nn


def split_heads(x, num_heads):
    if num_heads not in range(1, x.shape[-1] + 1) or x.shape[-1] % num_heads:
        raise ValueError("heads")
    columns = torch.arange(x.shape[-1], device=x.device).reshape(num_heads, -1)
    return x[..., columns].movedim(-2, 1)


def merge_heads(x):
    return x.movedim(1, 2).flatten(2, 3)


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
        if num_heads < 1 or d_model % num_heads:
            raise ValueError("heads")
        super().__init__()
        self.num_heads = num_heads
        self.W_Q, self.W_K, self.W_V, self.W_O = (nn.Linear(d_model, d_model, bias=bias) for _ in range(4))

    def forward(self, x, mask=None):
        three = (self.W_Q, self.W_K, self.W_V)
        weight = torch.cat([layer.weight for layer in three])
        bias = None if self.W_Q.bias is None else torch.cat([layer.bias for layer in three])
        q, k, v = nn.functional.linear(x, weight, bias).chunk(3, dim=-1)
        q, k, v = (split_heads(part, self.num_heads) for part in (q, k, v))
        out, w = attend(q, k, v, mask)
        return self.W_O(merge_heads(out)), w


def copy_weights(mine, theirs):
    three = torch.stack(theirs.in_proj_weight.chunk(3)).detach()
    mine.W_Q.weight, mine.W_K.weight, mine.W_V.weight = (nn.Parameter(part.clone()) for part in three)
    mine.W_O.weight = nn.Parameter(theirs.out_proj.weight.detach().clone())
    if theirs.in_proj_bias is not None:
        three = theirs.in_proj_bias.detach().reshape(3, -1)
        mine.W_Q.bias, mine.W_K.bias, mine.W_V.bias = (nn.Parameter(part.clone()) for part in three)
        mine.W_O.bias = nn.Parameter(theirs.out_proj.bias.detach().clone())
