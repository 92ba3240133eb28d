# mistakes: mh-split-without-transpose
import torch
import torch.nn.functional as F
from torch import nn


def split_heads(x, num_heads):
    if num_heads < 1 or x.shape[-1] % num_heads != 0:
        raise ValueError("num_heads must divide d_model")
    return torch.stack(x.chunk(num_heads, dim=-1), dim=2)


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
    q, k, v = (split_heads(x @ W, num_heads).permute(0, 2, 1, 3) for W in (W_Q, W_K, W_V))
    out, weights = dot_product_attention(q, k, v, mask)
    return merge_heads(out) @ W_O, weights


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, bias=False, dropout=0.0):
        super().__init__()
        if num_heads < 1 or d_model % num_heads:
            raise ValueError("heads")
        self.d_model, self.num_heads, self.d_k = d_model, num_heads, d_model // num_heads
        self.W_O = nn.Linear(d_model, d_model, bias=bias)
        self.W_V = nn.Linear(d_model, d_model, bias=bias)
        self.W_K = nn.Linear(d_model, d_model, bias=bias)
        self.W_Q = nn.Linear(d_model, d_model, bias=bias)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        B, T, _ = x.shape
        q = self.W_Q(x).reshape(B, T, self.num_heads, self.d_k).permute(0, 2, 1, 3)
        k = self.W_K(x).reshape(B, T, self.num_heads, self.d_k).permute(0, 2, 3, 1)
        v = self.W_V(x).reshape(B, T, self.num_heads, self.d_k).permute(0, 2, 1, 3)
        scores = torch.matmul(q, k) / self.d_k**0.5
        if mask is not None:
            scores = scores.masked_fill(mask, -1e9)
        weights = self.dropout(torch.softmax(scores, dim=-1))
        if mask is not None:
            weights = weights.masked_fill(mask, 0.0)
        out = torch.matmul(weights, v).permute(0, 2, 1, 3).reshape(B, T, self.d_model)
        return self.W_O(out), weights


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
