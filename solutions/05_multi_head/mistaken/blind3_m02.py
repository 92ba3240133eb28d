# mistakes: mask-head-axis-inserted
import math
import torch
from torch import nn
import torch.nn.functional as F

def split_heads(x, num_heads):
    B, T, d_model = x.shape
    if num_heads < 1 or d_model % num_heads:
        raise ValueError(num_heads)
    return x.view(B, T, num_heads, d_model // num_heads).permute(0, 2, 1, 3)

def merge_heads(x):
    return torch.cat(x.unbind(1), dim=-1)

def multi_head_attention(x, W_Q, W_K, W_V, W_O, num_heads, mask=None):
    B, T, d = x.shape
    if num_heads < 1 or d % num_heads:
        raise ValueError(num_heads)
    d_k = d // num_heads
    outs, ws = [], []
    for h in range(num_heads):
        cols = slice(h * d_k, (h + 1) * d_k)
        q, k, v = x @ W_Q[:, cols], x @ W_K[:, cols], x @ W_V[:, cols]
        s = q @ k.mT / d_k ** 0.5
        if mask is not None:
            m = mask
            if mask.dim() == 4:
                m = mask[:, h if mask.shape[1] > 1 else 0]
            s = s.masked_fill(m, -1e9)
            w = s.softmax(-1).masked_fill(m, 0)
        else:
            w = s.softmax(-1)
        outs.append(w @ v)
        ws.append(w)
    return torch.cat(outs, dim=-1) @ W_O, torch.stack(ws, dim=1)

class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, bias=False):
        super().__init__()
        if num_heads < 1 or d_model % num_heads != 0:
            raise ValueError("d_model % num_heads")
        self.H = num_heads
        for name in ("W_Q", "W_K", "W_V", "W_O"):
            setattr(self, name, nn.Linear(d_model, d_model, bias=bias))

    def forward(self, x, mask=None):
        Q = split_heads(self.W_Q(x), self.H)
        K = split_heads(self.W_K(x), self.H)
        V = split_heads(self.W_V(x), self.H)
        S = Q @ K.mT / Q.shape[-1] ** 0.5
        if mask is not None:
            S = S.masked_fill(mask, -1e9)
        A = S.softmax(dim=-1)
        if mask is not None:
            A = A.masked_fill(mask, 0)
        return self.W_O(merge_heads(A @ V)), A

def copy_weights(mine, theirs):
    q, k, v = theirs.in_proj_weight.detach().chunk(3)
    state = {"W_Q.weight": q, "W_K.weight": k, "W_V.weight": v, "W_O.weight": theirs.out_proj.weight.detach()}
    if theirs.in_proj_bias is not None:
        q, k, v = theirs.in_proj_bias.detach().chunk(3)
        state |= {"W_Q.bias": q, "W_K.bias": k, "W_V.bias": v, "W_O.bias": theirs.out_proj.bias.detach()}
    mine.load_state_dict(state)
