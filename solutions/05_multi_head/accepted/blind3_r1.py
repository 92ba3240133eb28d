# accepted: in its own way
import math
import torch
from torch import nn
import torch.nn.functional as F

def _width(d, H):
    if H < 1 or d % H:
        raise ValueError(f"{H} heads do not fit {d}")
    return d // H

def split_heads(x, num_heads):
    w = _width(x.size(2), num_heads)
    return x.unfold(2, w, w).movedim(2, 1)

def merge_heads(x):
    return torch.cat([x[:, h] for h in range(x.shape[1])], dim=2)

def _attend(q, k, v, mask):
    s = q @ k.mT / math.sqrt(q.shape[-1])
    if mask is None:
        mask = torch.zeros((), dtype=torch.bool)
    s = s.masked_fill(mask, torch.finfo(s.dtype).min)
    e = (s - s.amax(-1, keepdim=True)).exp() * ~mask
    total = e.sum(-1, keepdim=True)
    w = e / total.masked_fill(total == 0, 1)
    return w @ v, w

def multi_head_attention(x, W_Q, W_K, W_V, W_O, num_heads, mask=None):
    o, w = _attend(*(split_heads(x @ W, num_heads) for W in (W_Q, W_K, W_V)), mask)
    return merge_heads(o) @ W_O, w

class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, bias=False):
        super().__init__()
        _width(d_model, num_heads)
        self.num_heads = num_heads
        for n in "QKVO":
            self.add_module(f"W_{n}", nn.Linear(d_model, d_model, bias=bias))

    def forward(self, x, mask=None):
        o, w = _attend(*(split_heads(f(x), self.num_heads) for f in (self.W_Q, self.W_K, self.W_V)), mask)
        return self.W_O(merge_heads(o)), w

def copy_weights(mine, theirs):
    mine.W_O.load_state_dict(theirs.out_proj.state_dict())
    for i, n in enumerate("QKV"):
        own = getattr(mine, "W_" + n)
        own.load_state_dict({
            name: getattr(theirs, "in_proj_" + name).detach().chunk(3)[i] for name, _ in own.named_parameters()
        })
