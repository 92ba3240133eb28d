# mistakes: mask-after-softmax-no-renormalise
import torch
from torch import nn


def split_heads(x, num_heads):
    if num_heads < 1 or x.shape[2] % num_heads != 0:
        raise ValueError("d_model must be a multiple of num_heads")
    d_k = x.shape[2] // num_heads
    heads = []
    for h in range(num_heads):
        heads.append(x[:, :, h * d_k : (h + 1) * d_k])
    return torch.stack(heads, dim=1)


def merge_heads(x):
    return torch.cat([x[:, h] for h in range(x.shape[1])], dim=2)


def multi_head_attention(x, W_Q, W_K, W_V, W_O, num_heads, mask=None):
    q, k, v = [split_heads(torch.matmul(x, W), num_heads) for W in (W_Q, W_K, W_V)]
    weights = (torch.matmul(q, k.transpose(2, 3)) / q.size(-1) ** 0.5).softmax(-1)
    if mask is not None:
        weights = weights * (~mask)
    return torch.matmul(merge_heads(torch.matmul(weights, v)), W_O), weights


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, bias=False, dropout=0.0):
        super().__init__()
        if num_heads < 1 or d_model % num_heads:
            raise ValueError("heads")
        self.d_model, self.num_heads, self.d_k = d_model, num_heads, d_model // num_heads
        self.W_O = nn.Linear(d_model, d_model, bias=bias)
        self.W_V = nn.Linear(d_model, d_model, bias=bias)
        self.W_K = nn.Linear(d_model, d_model, bias=bias)
        self.W_Q = nn.Linear(d_model, d_model, bias=bias)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        B, T, _ = x.shape
        q = self.W_Q(x).reshape(B, T, self.num_heads, self.d_k).permute(0, 2, 1, 3)
        k = self.W_K(x).reshape(B, T, self.num_heads, self.d_k).permute(0, 2, 3, 1)
        v = self.W_V(x).reshape(B, T, self.num_heads, self.d_k).permute(0, 2, 1, 3)
        scores = torch.matmul(q, k) / self.d_k**0.5
        if mask is not None:
            scores = scores.masked_fill(mask, -1e9)
        weights = self.dropout(torch.softmax(scores, dim=-1))
        if mask is not None:
            weights = weights.masked_fill(mask, 0.0)
        out = torch.matmul(weights, v).permute(0, 2, 1, 3).reshape(B, T, self.d_model)
        return self.W_O(out), weights


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
