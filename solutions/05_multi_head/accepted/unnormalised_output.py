# accepted: the output divided at the end; scale on both sides by the fourth root
import torch
import torch.nn.functional as F
from torch import nn


def split_heads(x, num_heads):
    B, T, d_model = x.shape
    if num_heads < 1 or d_model % num_heads:
        raise ValueError("num_heads must divide d_model")
    return x.reshape(B, T, num_heads, d_model // num_heads).transpose(1, 2)


def merge_heads(x):
    return torch.cat(x.unbind(1), dim=-1)


def dot_product_attention(query, key, value, mask=None):
    d_k = query.shape[-1]
    scores = torch.matmul(query, key.transpose(-1, -2)) * d_k**-0.5
    if mask is None:
        p = F.softmax(scores, dim=-1)
    else:
        p = F.softmax(scores.masked_fill(mask, -1e9), dim=-1).masked_fill(mask, 0.0)
    return torch.matmul(p, value), p


def multi_head_attention(x, W_Q, W_K, W_V, W_O, num_heads, mask=None):
    Q, K, V = [split_heads(x @ W, num_heads) for W in (W_Q, W_K, W_V)]
    root = Q.shape[-1] ** 0.25
    scores = (Q / root) @ (K / root).transpose(2, 3)
    shown = torch.ones_like(scores) if mask is None else torch.ones_like(scores).masked_fill(mask, 0.0)
    low = scores.masked_fill(shown == 0, -torch.inf).amax(-1, keepdim=True).nan_to_num(neginf=0.0).detach()
    e = torch.where(shown == 0, 0.0, torch.exp(torch.where(shown == 0, low, scores) - low))
    total = e.sum(-1, keepdim=True)
    total = torch.where(total == 0, 1.0, total)
    return merge_heads((e @ V) / total) @ W_O, e / total


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, bias=False):
        if num_heads < 1 or d_model % num_heads:
            raise ValueError("heads")
        super().__init__()
        self.num_heads = num_heads
        self.W_Q, self.W_K, self.W_V, self.W_O = (nn.Linear(d_model, d_model, bias=bias) for _ in range(4))

    def forward(self, x, mask=None):
        three = (self.W_Q, self.W_K, self.W_V)
        weight = torch.cat([layer.weight for layer in three])
        bias = None if self.W_Q.bias is None else torch.cat([layer.bias for layer in three])
        q, k, v = nn.functional.linear(x, weight, bias).chunk(3, dim=-1)
        q, k, v = (split_heads(part, self.num_heads) for part in (q, k, v))
        out, w = dot_product_attention(q, k, v, mask)
        return self.W_O(merge_heads(out)), w


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
