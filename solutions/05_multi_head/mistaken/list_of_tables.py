# mistakes: mh-weights-shape
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
    B, T, d_model = x.shape
    if num_heads < 1 or d_model % num_heads != 0:
        raise ValueError("d_model / num_heads")
    d_k = d_model // num_heads
    masks = None if mask is None else torch.broadcast_to(mask, (B, num_heads, T, T))
    output, tables = 0, []
    for h in range(num_heads):
        mine = slice(h * d_k, (h + 1) * d_k)
        q, k, v = x @ W_Q[:, mine], x @ W_K[:, mine], x @ W_V[:, mine]
        scores = q @ k.transpose(1, 2) / d_k**0.5
        if masks is not None:
            scores = scores.masked_fill(masks[:, h], float("-inf"))
        table = scores.softmax(dim=-1).nan_to_num(nan=0.0)
        tables.append(table)
        output = output + (table @ v) @ W_O[mine]
    return output, tables


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
        mixed, weights = dot_product_attention(*heads, mask)
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
