# may lose: test_attention_keeps_the_dtype, test_the_layer_keeps_the_dtype
import torch
from torch import nn


def split_heads(x, num_heads):
    if num_heads < 1 or x.size(-1) % num_heads:
        raise ValueError(num_heads)
    return x.unflatten(-1, (num_heads, x.size(-1) // num_heads)).swapaxes(1, 2)


def merge_heads(x):
    return x.swapaxes(1, 2).flatten(-2)


def attend32(q, k, v, mask=None):
    scores = (q @ k.transpose(-2, -1)).float() / q.shape[-1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(mask, -torch.inf)
    weights = torch.softmax(scores, dim=-1).nan_to_num(0.0)
    return (weights.to(v.dtype) @ v), weights


def multi_head_attention(x, W_Q, W_K, W_V, W_O, num_heads, mask=None):
    q = split_heads(x @ W_Q, num_heads)
    k = split_heads(x @ W_K, num_heads)
    v = split_heads(x @ W_V, num_heads)
    out, weights = attend32(q, k, v, mask)
    return merge_heads(out) @ W_O, weights


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, bias=False):
        super().__init__()
        split_heads(torch.zeros(1, 1, d_model), num_heads)
        self.h = num_heads
        for name in ("W_Q", "W_K", "W_V", "W_O"):
            setattr(self, name, nn.Linear(d_model, d_model, bias))

    def forward(self, x, mask=None):
        parts = [split_heads(layer(x), self.h) for layer in (self.W_Q, self.W_K, self.W_V)]
        mixed, attention = attend32(*parts, mask)
        return self.W_O(merge_heads(mixed)), attention


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
