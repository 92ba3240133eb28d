# mistakes: mh-copy-biases-forgotten, mh-weights-averaged
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
        return self.W_O(merge_heads(heads)), probs.mean(dim=1)

def copy_weights(mine, theirs):
    wq, wk, wv = torch.chunk(theirs.in_proj_weight, 3, dim=0)
    with torch.no_grad():
        mine.W_Q.weight[:] = wq
        mine.W_K.weight[:] = wk
        mine.W_V.weight[:] = wv
    mine.W_O.load_state_dict(theirs.out_proj.state_dict())
