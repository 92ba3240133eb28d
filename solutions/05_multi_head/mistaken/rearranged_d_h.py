# mistakes: mh-features-interleaved
import torch
from torch import nn


def split_heads(x, num_heads):
    if num_heads < 1 or x.shape[-1] % num_heads != 0:
        raise ValueError("num_heads must divide d_model")
    return torch.stack([x[..., h::num_heads] for h in range(num_heads)], dim=1)


def merge_heads(x):
    return torch.stack(x.unbind(1), dim=-1).flatten(-2)


def look_up(Q, K, V, mask=None):
    scores = torch.einsum("bhid,bhjd->bhij", Q, K) / Q.shape[-1] ** 0.5
    if mask is None:
        mask = torch.zeros((), dtype=torch.bool, device=Q.device)
    scores = torch.where(mask, torch.finfo(scores.dtype).min, scores)
    e = torch.exp(scores - scores.amax(-1, keepdim=True)) * ~mask
    weights = e / e.sum(-1, keepdim=True).clamp(min=1e-30)
    return torch.einsum("bhij,bhjd->bhid", weights, V), weights


def multi_head_attention(x, W_Q, W_K, W_V, W_O, num_heads, mask=None):
    mixed, weights = look_up(*[split_heads(torch.matmul(x, W), num_heads) for W in (W_Q, W_K, W_V)], mask)
    return torch.matmul(merge_heads(mixed), W_O), weights


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, bias=False):
        super().__init__()
        if num_heads < 1 or d_model % num_heads:
            raise ValueError("heads")
        self.num_heads = num_heads
        self.W_Q = nn.Linear(d_model, d_model, bias=bias)
        self.W_K = nn.Linear(d_model, d_model, bias=bias)
        self.W_V = nn.Linear(d_model, d_model, bias=bias)
        self.W_O = nn.Linear(d_model, d_model, bias=bias)

    def forward(self, x, mask=None):
        q, k, v = (split_heads(f(x), self.num_heads) for f in (self.W_Q, self.W_K, self.W_V))
        mixed, weights = look_up(q, k, v, mask)
        return self.W_O(merge_heads(mixed)), weights


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
