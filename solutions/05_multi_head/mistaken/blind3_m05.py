# mistakes: mh-copy-shares-memory
import math
import torch
from torch import nn
import torch.nn.functional as F

def split_heads(x, num_heads):
    B, T, D = x.shape
    if num_heads < 1 or D % num_heads != 0:
        raise ValueError("num_heads has to divide d_model")
    x = x.reshape(B, T, num_heads, D // num_heads)
    return x.transpose(1, 2)

def merge_heads(x):
    B, H, T, d_k = x.shape
    return x.permute(0, 2, 1, 3).contiguous().view(B, T, H * d_k)

def scaled_attention(q, k, v, mask=None):
    scores = torch.einsum("bhqd,bhkd->bhqk", q, k) / math.sqrt(q.size(-1))
    if mask is None:
        probs = torch.softmax(scores, dim=-1)
    else:
        scores = scores.masked_fill(mask, torch.finfo(scores.dtype).min)
        probs = torch.softmax(scores, dim=-1) * ~mask
    return torch.einsum("bhqk,bhkd->bhqd", probs, v), probs

def multi_head_attention(x, W_Q, W_K, W_V, W_O, num_heads, mask=None):
    q = split_heads(x @ W_Q, num_heads)
    k = split_heads(x @ W_K, num_heads)
    v = split_heads(x @ W_V, num_heads)
    heads, probs = scaled_attention(q, k, v, mask)
    return merge_heads(heads) @ W_O, probs

class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, bias=False):
        super().__init__()
        if num_heads < 1 or d_model % num_heads != 0:
            raise ValueError("num_heads has to divide d_model")
        self.num_heads = num_heads
        self.W_Q = nn.Linear(d_model, d_model, bias=bias)
        self.W_K = nn.Linear(d_model, d_model, bias=bias)
        self.W_V = nn.Linear(d_model, d_model, bias=bias)
        self.W_O = nn.Linear(d_model, d_model, bias=bias)

    def forward(self, x, mask=None):
        q = split_heads(self.W_Q(x), self.num_heads)
        k = split_heads(self.W_K(x), self.num_heads)
        v = split_heads(self.W_V(x), self.num_heads)
        heads, probs = scaled_attention(q, k, v, mask)
        return self.W_O(merge_heads(heads)), probs

def copy_weights(mine, theirs):
    d = theirs.in_proj_weight.shape[1]
    W = theirs.in_proj_weight.data
    mine.W_Q.weight.data = W[:d]
    mine.W_K.weight.data = W[d:2 * d]
    mine.W_V.weight.data = W[2 * d:]
    mine.W_O.weight.data = theirs.out_proj.weight.data
    if theirs.in_proj_bias is not None:
        b = theirs.in_proj_bias.data
        mine.W_Q.bias.data = b[:d]
        mine.W_K.bias.data = b[d:2 * d]
        mine.W_V.bias.data = b[2 * d:]
        mine.W_O.bias.data = theirs.out_proj.bias.data
