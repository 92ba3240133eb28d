# mistakes: softmax-over-query-axis
import math

import torch
from torch import nn


def split_heads(x, num_heads):
    if num_heads < 1 or x.size(-1) % num_heads:
        raise ValueError(num_heads)
    return x.unflatten(-1, (num_heads, x.size(-1) // num_heads)).swapaxes(1, 2)


def merge_heads(x):
    return x.swapaxes(1, 2).flatten(-2)


def attend_rows(q, k, v, mask=None):
    scores = torch.matmul(q, k.transpose(2, 3)).div(math.sqrt(k.shape[-1]))
    if mask is None:
        weights = torch.softmax(scores, dim=-2)
    else:
        weights = torch.softmax(scores.masked_fill(mask, -1e9), dim=-2).masked_fill(mask, 0.0)
    return torch.matmul(weights, v), weights


def multi_head_attention(x, W_Q, W_K, W_V, W_O, num_heads, mask=None):
    qkv = x @ torch.cat([W_Q, W_K, W_V], dim=1)
    q, k, v = (split_heads(part, num_heads) for part in qkv.chunk(3, dim=-1))
    context, attn = attend_rows(q, k, v, mask)
    return merge_heads(context) @ W_O, attn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, bias=False):
        super().__init__()
        if num_heads < 1 or d_model % num_heads:
            raise ValueError("num_heads")
        self.num_heads = num_heads
        self.W_Q = nn.Linear(d_model, d_model, bias=bias)
        self.W_K = nn.Linear(d_model, d_model, bias=bias)
        self.W_V = nn.Linear(d_model, d_model, bias=bias)
        self.W_O = nn.Linear(d_model, d_model, bias=bias)

    def forward(self, x, mask=None):
        if self.W_Q.bias is None:
            matrices = (layer.weight.T for layer in (self.W_Q, self.W_K, self.W_V, self.W_O))
            return multi_head_attention(x, *matrices, self.num_heads, mask)
        heads = [split_heads(x @ layer.weight.T + layer.bias, self.num_heads) for layer in (self.W_Q, self.W_K, self.W_V)]
        mixed, weights = attend_rows(*heads, mask)
        return merge_heads(mixed) @ self.W_O.weight.T + self.W_O.bias, weights


def copy_weights(mine, theirs):
    layers = [mine.W_Q, mine.W_K, mine.W_V]
    for layer, weight in zip(layers, theirs.in_proj_weight.detach().split(theirs.embed_dim)):
        layer.weight.data = weight.clone()
    mine.W_O.weight.data = theirs.out_proj.weight.detach().clone()
    if theirs.in_proj_bias is not None:
        for layer, bias in zip(layers, theirs.in_proj_bias.detach().split(theirs.embed_dim)):
            layer.bias.data = bias.clone()
        mine.W_O.bias.data = theirs.out_proj.bias.detach().clone()
    return None
