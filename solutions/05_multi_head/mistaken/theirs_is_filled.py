# mistakes: mh-copy-wrong-direction
import torch
from torch import nn


def split_heads(x, num_heads):
    B, T, C = x.size()
    if num_heads <= 0 or C % num_heads != 0:
        raise ValueError("d_model must be divisible by num_heads")
    return x.reshape(B, T, num_heads, C // num_heads).permute(0, 2, 1, 3)


def merge_heads(x):
    B, H, T, D = x.size()
    return x.permute(0, 2, 1, 3).reshape(B, T, H * D)


def attention_weights(q, k, mask):
    scores = torch.einsum("bhqd,bhkd->bhqk", q, k) * k.size(-1) ** -0.5
    if mask is None:
        return torch.softmax(scores, dim=-1)
    weights = torch.softmax(scores.masked_fill(mask, torch.finfo(scores.dtype).min), dim=-1)
    return torch.where(mask, torch.zeros_like(weights), weights)


def multi_head_attention(x, W_Q, W_K, W_V, W_O, num_heads, mask=None):
    q = split_heads(x @ W_Q, num_heads)
    k = split_heads(x @ W_K, num_heads)
    v = split_heads(x @ W_V, num_heads)
    w = attention_weights(q, k, mask)
    return merge_heads(w @ v) @ W_O, w


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, bias=False):
        super().__init__()
        if num_heads <= 0 or d_model % num_heads != 0:
            raise ValueError("d_model must be divisible by num_heads")
        self.h = num_heads
        self.W_Q = nn.Linear(d_model, d_model, bias=bias)
        self.W_K = nn.Linear(d_model, d_model, bias=bias)
        self.W_V = nn.Linear(d_model, d_model, bias=bias)
        self.W_O = nn.Linear(d_model, d_model, bias=bias)

    def forward(self, x, mask=None):
        q = split_heads(self.W_Q(x), self.h)
        k = split_heads(self.W_K(x), self.h)
        v = split_heads(self.W_V(x), self.h)
        w = attention_weights(q, k, mask)
        return self.W_O(merge_heads(w @ v)), w


@torch.no_grad()
def copy_weights(mine, theirs):
    d = theirs.embed_dim
    for i, layer in enumerate([mine.W_Q, mine.W_K, mine.W_V]):
        theirs.in_proj_weight[i * d : (i + 1) * d] = layer.weight
        if theirs.in_proj_bias is not None:
            theirs.in_proj_bias[i * d : (i + 1) * d] = layer.bias
    theirs.out_proj.load_state_dict(mine.W_O.state_dict())
