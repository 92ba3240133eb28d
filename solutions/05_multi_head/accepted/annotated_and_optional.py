# accepted: type annotations, further optional parameters
import math

import torch
from torch import nn


def split_heads(x, num_heads):
    B, T, d_model = x.shape
    if num_heads < 1 or d_model % num_heads:
        raise ValueError("num_heads must divide d_model")
    return x.reshape(B, T, num_heads, d_model // num_heads).transpose(1, 2)


def merge_heads(x):
    B, H, T, d_k = x.shape
    return x.transpose(1, 2).reshape(B, T, H * d_k)


def attend(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))
    if mask is not None:
        scores = scores.masked_fill(mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1).nan_to_num(0.0)
    return weights @ v, weights


def multi_head_attention(
    x: torch.Tensor,
    W_Q: torch.Tensor,
    W_K: torch.Tensor,
    W_V: torch.Tensor,
    W_O: torch.Tensor,
    num_heads: int,
    mask: torch.Tensor | None = None,
    return_weights: bool = True,
) -> tuple[torch.Tensor, torch.Tensor]:
    Q, K, V = (split_heads(torch.tensordot(x, W, dims=1), num_heads) for W in (W_Q, W_K, W_V))
    output, weights = attend(Q, K, V, mask)
    return torch.tensordot(merge_heads(output), W_O, dims=1), weights


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, bias=False):
        super().__init__()
        if num_heads < 1 or d_model % num_heads != 0:
            raise ValueError("d_model must be divisible by num_heads")
        self.num_heads = num_heads
        self.W_Q = nn.Linear(d_model, d_model, bias=bias)
        self.W_K = nn.Linear(d_model, d_model, bias=bias)
        self.W_V = nn.Linear(d_model, d_model, bias=bias)
        self.W_O = nn.Linear(d_model, d_model, bias=bias)

    def forward(self, x, mask=None):
        q = split_heads(self.W_Q(x), self.num_heads)
        k = split_heads(self.W_K(x), self.num_heads)
        v = split_heads(self.W_V(x), self.num_heads)
        out, weights = attend(q, k, v, mask)
        return self.W_O(merge_heads(out)), weights


def copy_weights(mine, theirs):
    d = theirs.embed_dim
    new = {"W_O." + name: tensor for name, tensor in theirs.out_proj.state_dict().items()}
    for i, name in enumerate(["W_Q", "W_K", "W_V"]):
        new[name + ".weight"] = theirs.in_proj_weight[i * d : (i + 1) * d]
        if theirs.in_proj_bias is not None:
            new[name + ".bias"] = theirs.in_proj_bias[i * d : (i + 1) * d]
    mine.load_state_dict(new)
    return mine
