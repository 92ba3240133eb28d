# accepted: queries in small blocks, the mask broadcast first
import torch
import torch.nn.functional as F
from torch import nn


def split_heads(x, num_heads):
    if num_heads < 1 or x.shape[2] % num_heads != 0:
        raise ValueError("d_model must be a multiple of num_heads")
    d_k = x.shape[2] // num_heads
    heads = []
    for h in range(num_heads):
        heads.append(x[:, :, h * d_k : (h + 1) * d_k])
    return torch.stack(heads, dim=1)


def merge_heads(x):
    batch, heads, seq, head_dim = x.size()
    return x.permute(0, 2, 1, 3).contiguous().view(batch, seq, heads * head_dim)


def dot_product_attention(query, key, value, mask=None):
    d_k = query.shape[-1]
    scores = torch.matmul(query, key.transpose(-1, -2)) * d_k**-0.5
    if mask is None:
        p = F.softmax(scores, dim=-1)
    else:
        p = F.softmax(scores.masked_fill(mask, -1e9), dim=-1).masked_fill(mask, 0.0)
    return torch.matmul(p, value), p


def multi_head_attention(x, W_Q, W_K, W_V, W_O, num_heads, mask=None):
    Q, K, V = (split_heads(x @ W, num_heads) for W in (W_Q, W_K, W_V))
    B, H, T, d_k = Q.shape
    hidden = None if mask is None else mask.broadcast_to(B, H, T, T)
    outs, tables = [], []
    for start in range(0, T, 2):
        block = slice(start, start + 2)
        out, table = dot_product_attention(Q[:, :, block], K, V, None if hidden is None else hidden[:, :, block])
        outs.append(out)
        tables.append(table)
    return merge_heads(torch.cat(outs, dim=2)) @ W_O, torch.cat(tables, dim=2)


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, bias=False):
        super().__init__()
        split_heads(torch.zeros(1, 1, d_model), num_heads)
        self.h = num_heads
        for name in ("W_Q", "W_K", "W_V", "W_O"):
            setattr(self, name, nn.Linear(d_model, d_model, bias))

    def forward(self, x, mask=None):
        parts = [split_heads(layer(x), self.h) for layer in (self.W_Q, self.W_K, self.W_V)]
        mixed, attention = dot_product_attention(*parts, mask)
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
