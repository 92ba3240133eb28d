# accepted: in its own way
import math
import torch
from torch import nn
import torch.nn.functional as F

def split_heads(x, num_heads):
    if num_heads <= 0 or x.shape[-1] % num_heads != 0:
        raise ValueError
    d_k = x.shape[-1] // num_heads
    out = x.new_empty(x.shape[0], num_heads, x.shape[1], d_k)
    for h in range(num_heads):
        out[:, h] = x[:, :, h * d_k : (h + 1) * d_k]
    return out

def merge_heads(x):
    B, H, T, d_k = x.shape
    columns = [x[:, h, :, j] for h in range(H) for j in range(d_k)]
    return torch.stack(columns, dim=-1)

def multi_head_attention(x, W_Q, W_K, W_V, W_O, num_heads, mask=None):
    D = x.shape[-1]
    if num_heads <= 0 or D % num_heads != 0:
        raise ValueError
    H, d = num_heads, D // num_heads
    q = torch.einsum("btm,mhd->bhtd", x, W_Q.reshape(D, H, d))
    k = torch.einsum("btm,mhd->bhtd", x, W_K.reshape(D, H, d))
    v = torch.einsum("btm,mhd->bhtd", x, W_V.reshape(D, H, d))
    s = torch.einsum("bhqd,bhkd->bhqk", q, k) / d ** 0.5
    if mask is None:
        w = s.softmax(-1)
    else:
        w = s.masked_fill(mask, -1e9).softmax(-1).masked_fill(mask, 0)
    return torch.einsum("bhqk,bhkd,hdm->bqm", w, v, W_O.reshape(H, d, D)), w

class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, bias=False):
        if num_heads <= 0 or d_model % num_heads != 0:
            raise ValueError("heads")
        super().__init__()
        self.W_Q, self.W_K, self.W_V, self.W_O = (nn.Linear(d_model, d_model, bias) for _ in range(4))
        self.heads = num_heads

    def forward(self, x, mask=None):
        q, k, v = (split_heads(f(x), self.heads) for f in (self.W_Q, self.W_K, self.W_V))
        s = q.matmul(k.transpose(2, 3)) * k.shape[-1] ** -0.5
        if mask is None:
            w = s.softmax(-1)
        else:
            w = s.masked_fill(mask, -1e9).softmax(-1).masked_fill(mask, 0)
        return self.W_O(merge_heads(w.matmul(v))), w

def copy_weights(mine, theirs):
    d = theirs.embed_dim
    for row in range(3 * d):
        layer = (mine.W_Q, mine.W_K, mine.W_V)[row // d]
        layer.weight.data[row % d] = theirs.in_proj_weight.data[row]
        if theirs.in_proj_bias is not None:
            layer.bias.data[row % d] = theirs.in_proj_bias.data[row]
    for a, b in zip(mine.W_O.parameters(), theirs.out_proj.parameters()):
        a.data = b.data.clone()
