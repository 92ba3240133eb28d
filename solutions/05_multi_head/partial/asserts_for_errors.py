# may lose: test_features_that_cannot_be_shared_evenly_are_refused, test_fewer_than_one_head_is_refused, test_heads_that_do_not_divide_the_features_are_refused, test_a_layer_whose_heads_cannot_share_evenly_is_refused_when_built
import math

import torch
from torch import nn


def split_heads(x, num_heads):
    B, T, C = x.shape
    assert num_heads > 0 and C % num_heads == 0, "d_model must be divisible by num_heads"
    return x.reshape(B, T, num_heads, C // num_heads).transpose(1, 2)


def merge_heads(x):
    B, H, T, d_k = x.shape
    return x.transpose(1, 2).reshape(B, T, H * d_k)


def attend(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))
    if mask is not None:
        scores = scores.masked_fill(mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1).nan_to_num(0.0)
    return weights @ v, weights


def multi_head_attention(x, W_Q, W_K, W_V, W_O, num_heads, mask=None):
    q = split_heads(x @ W_Q, num_heads)
    k = split_heads(x @ W_K, num_heads)
    v = split_heads(x @ W_V, num_heads)
    out, weights = attend(q, k, v, mask)
    return merge_heads(out) @ W_O, weights


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, bias=False):
        super().__init__()
        assert num_heads > 0 and d_model % num_heads == 0
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
