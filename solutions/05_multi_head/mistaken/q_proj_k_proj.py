# mistakes: proj-layers-under-other-names
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
        if num_heads < 1 or d_model % num_heads:
            raise ValueError("heads")
        self.num_heads = num_heads
        for name in ["q_proj", "k_proj", "v_proj", "out_proj"]:
            self.add_module(name, nn.Linear(d_model, d_model, bias=bias))

    def forward(self, x, mask=None):
        q, k, v = (split_heads(p(x), self.num_heads) for p in (self.q_proj, self.k_proj, self.v_proj))
        y, weights = dot_product_attention(q, k, v, mask)
        return self.out_proj(merge_heads(y)), weights


def copy_weights(mine, theirs):
    with torch.no_grad():
        for layer, weight in zip((mine.q_proj, mine.k_proj, mine.v_proj), theirs.in_proj_weight.chunk(3)):
            layer.weight.copy_(weight)
        mine.out_proj.weight.copy_(theirs.out_proj.weight)
        if theirs.in_proj_bias is not None:
            for layer, bias in zip((mine.q_proj, mine.k_proj, mine.v_proj), theirs.in_proj_bias.chunk(3)):
                layer.bias.copy_(bias)
            mine.out_proj.bias.copy_(theirs.out_proj.bias)
