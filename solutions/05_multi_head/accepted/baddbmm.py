# accepted: heads folded into the batch, additive mask
import math

import torch
from torch import nn


def split_heads(x, num_heads):
    B, T, d_model = x.shape
    if num_heads < 1 or d_model % num_heads:
        raise ValueError("num_heads must divide d_model")
    return x.reshape(B, T, num_heads, d_model // num_heads).transpose(1, 2)


def merge_heads(x):
    batch, heads, seq, head_dim = x.size()
    return x.permute(0, 2, 1, 3).contiguous().view(batch, seq, heads * head_dim)


def scaled_attention(q, k, v, hidden=None):
    bias = 0.0
    if hidden is not None:
        bias = torch.zeros(hidden.shape, dtype=q.dtype, device=q.device).masked_fill(hidden, -1e9)
    a = (q / math.sqrt(k.shape[-1])).matmul(k.mT).add(bias).softmax(-1)
    if hidden is not None:
        a = a * hidden.logical_not()
    return a.matmul(v), a


def multi_head_attention(x, W_Q, W_K, W_V, W_O, num_heads, mask=None):
    B, T, C = x.shape
    q, k, v = (split_heads(x @ W, num_heads).reshape(B * num_heads, T, C // num_heads) for W in (W_Q, W_K, W_V))
    bias = x.new_zeros(B, num_heads, T, T)
    if mask is not None:
        bias = bias.masked_fill(mask, -1e9)
    scores = torch.baddbmm(bias.reshape(B * num_heads, T, T), q, k.transpose(1, 2), alpha=(C // num_heads) ** -0.5)
    weights = scores.softmax(-1).reshape(B, num_heads, T, T)
    if mask is not None:
        weights = weights.masked_fill(mask, 0.0)
    out = torch.bmm(weights.reshape(B * num_heads, T, T), v)
    return merge_heads(out.reshape(B, num_heads, T, C // num_heads)) @ W_O, weights


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
        mixed, weights = scaled_attention(*heads, mask)
        return merge_heads(mixed) @ self.W_O.weight.T + self.W_O.bias, weights


@torch.no_grad()
def copy_weights(mine, theirs):
    d = mine.W_Q.weight.shape[0]
    mine.W_Q.weight.data.copy_(theirs.in_proj_weight.data[:d])
    mine.W_K.weight.data.copy_(theirs.in_proj_weight.data[d : 2 * d])
    mine.W_V.weight.data.copy_(theirs.in_proj_weight.data[2 * d :])
    mine.W_O.weight.data.copy_(theirs.out_proj.weight.data)
    if mine.W_Q.bias is not None:
        mine.W_Q.bias.data.copy_(theirs.in_proj_bias.data[:d])
        mine.W_K.bias.data.copy_(theirs.in_proj_bias.data[d : 2 * d])
        mine.W_V.bias.data.copy_(theirs.in_proj_bias.data[2 * d :])
        mine.W_O.bias.data.copy_(theirs.out_proj.bias.data)
