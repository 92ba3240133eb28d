# accepted: in its own way
import math
import torch
from torch import nn
import torch.nn.functional as F

def split_heads(x, num_heads):
    if num_heads < 1 or x.shape[2] % num_heads:
        raise ValueError("heads")
    return torch.stack(torch.tensor_split(x, num_heads, dim=2), dim=1)

def merge_heads(x):
    out = x[:, 0]
    for h in range(1, x.shape[1]):
        out = torch.cat((out, x[:, h]), dim=-1)
    return out

def one_query(q, K, V, hidden):
    s = (K * q.unsqueeze(-2)).sum(-1) / q.shape[-1] ** 0.5
    w = torch.softmax(s.masked_fill(hidden, -1e30), dim=-1)
    w = torch.where(hidden, torch.zeros_like(w), w)
    return (w.unsqueeze(-1) * V).sum(-2), w

def multi_head_attention(x, W_Q, W_K, W_V, W_O, num_heads, mask=None):
    Q, K, V = (split_heads(x @ W, num_heads) for W in (W_Q, W_K, W_V))
    B, H, T, _ = Q.shape
    if mask is None:
        mask = torch.zeros(T, T, dtype=torch.bool, device=x.device)
    mask = mask.broadcast_to(B, H, T, T)
    outs, ws = zip(*[one_query(Q[:, :, t], K, V, mask[:, :, t]) for t in range(T)])
    return merge_heads(torch.stack(outs, 2)) @ W_O, torch.stack(ws, 2)

class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, bias=False):
        super().__init__()
        if num_heads < 1 or d_model % num_heads:
            raise ValueError("heads")
        self.W_Q, self.W_K = nn.Linear(d_model, d_model, bias), nn.Linear(d_model, d_model, bias)
        self.W_V, self.W_O = nn.Linear(d_model, d_model, bias), nn.Linear(d_model, d_model, bias)
        self.num_heads = num_heads

    def forward(self, x, mask=None):
        d = x.shape[-1]
        if self.W_Q.bias is None:
            return multi_head_attention(x, self.W_Q.weight.T, self.W_K.weight.T, self.W_V.weight.T, self.W_O.weight.T, self.num_heads, mask=mask)
        Q, K, V = (split_heads(f(x), self.num_heads) for f in (self.W_Q, self.W_K, self.W_V))
        B, H, T, _ = Q.shape
        mask = torch.zeros(1, dtype=torch.bool) if mask is None else mask
        mask = mask.broadcast_to(B, H, T, T)
        outs, ws = zip(*[one_query(Q[:, :, t], K, V, mask[:, :, t]) for t in range(T)])
        return self.W_O(merge_heads(torch.stack(outs, 2))), torch.stack(ws, 2)

def copy_weights(mine, theirs):
    other = theirs.state_dict()
    new = {}
    for kind in ("weight", "bias"):
        if "in_proj_" + kind in other:
            new["W_Q." + kind], new["W_K." + kind], new["W_V." + kind] = other["in_proj_" + kind].chunk(3)
            new["W_O." + kind] = other["out_proj." + kind]
    mine.load_state_dict(new)
