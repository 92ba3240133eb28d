# mistakes: score-query-key-swapped
import torch
from torch import nn


def split_heads(x, num_heads):
    d_k, rest = divmod(x.shape[-1], num_heads) if num_heads > 0 else (0, 1)
    if rest:
        raise ValueError("cannot split evenly")
    return torch.stack(torch.split(x, d_k, dim=2), 1)


def merge_heads(x):
    return x.movedim(1, 2).flatten(2, 3)


def attend_pairs(q, k, v, mask=None):
    scores = torch.einsum("bhid,bhjd->bhij", k, q)
    scores = scores / q.shape[-1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(mask, -torch.inf)
    weights = scores.softmax(dim=-1).nan_to_num(0.0)
    return torch.einsum("bhij,bhjd->bhid", weights, v), weights


def multi_head_attention(x, W_Q, W_K, W_V, W_O, num_heads, mask=None):
    qkv = x @ torch.cat([W_Q, W_K, W_V], dim=1)
    q, k, v = (split_heads(part, num_heads) for part in qkv.chunk(3, dim=-1))
    context, attn = attend_pairs(q, k, v, mask)
    return merge_heads(context) @ W_O, attn


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
        out, w = attend_pairs(q, k, v, mask)
        return self.W_O(merge_heads(out)), w


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
