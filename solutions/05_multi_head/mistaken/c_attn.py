# mistakes: proj-packed-in-one-layer
import torch
import torch.nn.functional as F
from torch import nn


def split_heads(x, num_heads):
    if num_heads < 1 or x.size(-1) % num_heads:
        raise ValueError(num_heads)
    return x.unflatten(-1, (num_heads, x.size(-1) // num_heads)).swapaxes(1, 2)


def merge_heads(x):
    return x.swapaxes(1, 2).flatten(-2)


def dot_product_attention(query, key, value, mask=None):
    d_k = query.shape[-1]
    scores = torch.matmul(query, key.transpose(-1, -2)) * d_k**-0.5
    if mask is None:
        p = F.softmax(scores, dim=-1)
    else:
        p = F.softmax(scores.masked_fill(mask, -1e9), dim=-1).masked_fill(mask, 0.0)
    return torch.matmul(p, value), p


def multi_head_attention(x, W_Q, W_K, W_V, W_O, num_heads, mask=None):
    B, T, C = x.shape
    if num_heads < 1 or C % num_heads:
        raise ValueError("heads")
    qkv = (x @ torch.cat((W_Q, W_K, W_V), dim=-1)).reshape(B, T, 3, num_heads, C // num_heads)
    q, k, v = qkv.permute(2, 0, 3, 1, 4)
    y, att = dot_product_attention(q, k, v, mask)
    return y.transpose(1, 2).reshape(B, T, C) @ W_O, att


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, bias=False):
        super().__init__()
        if num_heads < 1 or d_model % num_heads:
            raise ValueError("heads")
        self.n_head = num_heads
        self.c_attn = nn.Linear(d_model, 3 * d_model, bias=bias)
        self.c_proj = nn.Linear(d_model, d_model, bias=bias)

    def forward(self, x, mask=None):
        q, k, v = self.c_attn(x).split(x.shape[-1], dim=2)
        y, att = dot_product_attention(split_heads(q, self.n_head), split_heads(k, self.n_head), split_heads(v, self.n_head), mask)
        return self.c_proj(merge_heads(y)), att


def copy_weights(mine, theirs):
    mine.c_attn.weight.data.copy_(theirs.in_proj_weight.data)
    mine.c_proj.load_state_dict(theirs.out_proj.state_dict())
    if theirs.in_proj_bias is not None:
        mine.c_attn.bias.data.copy_(theirs.in_proj_bias.data)
