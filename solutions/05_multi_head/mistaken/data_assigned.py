# mistakes: mh-copy-shares-memory
import torch
import torch.nn.functional as F
from torch import nn


def split_heads(x, num_heads):
    batch, seq, width = x.size()
    if num_heads <= 0 or width % num_heads != 0:
        raise ValueError(f"{width} % {num_heads} != 0")
    head_dim = width // num_heads
    return x.view(batch, seq, num_heads, head_dim).permute(0, 2, 1, 3).contiguous()


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
    mixed, weights = dot_product_attention(*[split_heads(torch.matmul(x, W), num_heads) for W in (W_Q, W_K, W_V)], mask)
    return torch.matmul(merge_heads(mixed), W_O), weights


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
    d = theirs.embed_dim
    for i, layer in enumerate((mine.W_Q, mine.W_K, mine.W_V)):
        layer.weight.data = theirs.in_proj_weight.data[i * d : (i + 1) * d]
        if theirs.in_proj_bias is not None:
            layer.bias.data = theirs.in_proj_bias.data[i * d : (i + 1) * d]
    mine.W_O.weight.data = theirs.out_proj.weight.data
    if theirs.in_proj_bias is not None:
        mine.W_O.bias.data = theirs.out_proj.bias.data
