# accepted: subclass of nn.Linear, layers made by a function, weights copied by slices
import torch
import torch.nn.functional as F
from torch import nn


def split_heads(x, num_heads):
    if num_heads not in range(1, x.shape[-1] + 1) or x.shape[-1] % num_heads:
        raise ValueError("heads")
    columns = torch.arange(x.shape[-1], device=x.device).reshape(num_heads, -1)
    return x[..., columns].movedim(-2, 1)


def merge_heads(x):
    return x.movedim(1, 2).flatten(2, 3)


def dot_product_attention(query, key, value, mask=None):
    d_k = query.shape[-1]
    scores = torch.matmul(query, key.transpose(-1, -2)) * d_k**-0.5
    if mask is None:
        p = F.softmax(scores, dim=-1)
    else:
        p = F.softmax(scores.masked_fill(mask, -1e9), dim=-1).masked_fill(mask, 0.0)
    return torch.matmul(p, value), p


def multi_head_attention(x, W_Q, W_K, W_V, W_O, num_heads, mask=None):
    qkv = x @ torch.cat([W_Q, W_K, W_V], dim=1)
    q, k, v = (split_heads(part, num_heads) for part in qkv.chunk(3, dim=-1))
    context, attn = dot_product_attention(q, k, v, mask)
    return merge_heads(context) @ W_O, attn


class Projection(nn.Linear):
    def __init__(self, width, bias):
        super().__init__(width, width, bias=bias)


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, bias=False):
        super().__init__()
        if num_heads <= 0 or d_model % num_heads > 0:
            raise ValueError(f"{num_heads=} must divide {d_model=}")
        self.heads = num_heads
        self.register_buffer("scale", torch.tensor((d_model // num_heads) ** -0.5), persistent=False)
        self.add_module("W_Q", Projection(d_model, bias))
        self.add_module("W_K", Projection(d_model, bias))
        self.add_module("W_V", Projection(d_model, bias))
        self.add_module("W_O", Projection(d_model, bias))

    def forward(self, x, mask=None):
        q, k, v = (split_heads(layer(x), self.heads) for layer in (self.W_Q, self.W_K, self.W_V))
        scores = (q * self.scale) @ k.transpose(2, 3)
        if mask is not None:
            scores = scores.masked_fill(mask, -torch.inf)
        weights = torch.nan_to_num(scores.softmax(3))
        return self.W_O(merge_heads(weights @ v)), weights


def copy_weights(mine, theirs):
    source = {name: tensor.detach() for name, tensor in theirs.named_parameters()}
    width = source["out_proj.weight"].shape[0]
    with torch.no_grad():
        for name, parameter in mine.named_parameters():
            layer, _, kind = name.partition(".")
            if layer == "W_O":
                parameter.copy_(source["out_proj." + kind])
            elif layer in ("W_Q", "W_K", "W_V"):
                start = ("W_Q", "W_K", "W_V").index(layer) * width
                parameter[:] = source["in_proj_" + kind][start : start + width]
