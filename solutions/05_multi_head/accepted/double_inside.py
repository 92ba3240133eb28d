# accepted: float64 inside, cast back
import torch
from torch import nn


def split_heads(x, num_heads):
    if num_heads < 1 or x.shape[-1] % num_heads:
        raise ValueError("no")
    d_k = x.shape[-1] // num_heads
    return x.unfold(-1, d_k, d_k).movedim(2, 1)


def merge_heads(x):
    B, H, T, d_k = x.shape
    return x.transpose(1, 2).reshape(B, T, H * d_k)


def look_up(Q, K, V, mask=None):
    scores = torch.einsum("bhid,bhjd->bhij", Q, K) / Q.shape[-1] ** 0.5
    if mask is None:
        mask = torch.zeros((), dtype=torch.bool, device=Q.device)
    scores = torch.where(mask, torch.finfo(scores.dtype).min, scores)
    e = torch.exp(scores - scores.amax(-1, keepdim=True)) * ~mask
    weights = e / e.sum(-1, keepdim=True).clamp(min=1e-30)
    return torch.einsum("bhij,bhjd->bhid", weights, V), weights


def multi_head_attention(x, W_Q, W_K, W_V, W_O, num_heads, mask=None):
    wide = [split_heads((x @ W).double(), num_heads) for W in (W_Q, W_K, W_V)]
    out, weights = look_up(*wide, mask)
    return merge_heads(out).to(x.dtype) @ W_O, weights.to(x.dtype)


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, bias=False):
        super().__init__()
        split_heads(torch.zeros(1, 1, d_model), num_heads)
        self.h = num_heads
        for name in ("W_Q", "W_K", "W_V", "W_O"):
            setattr(self, name, nn.Linear(d_model, d_model, bias))

    def forward(self, x, mask=None):
        parts = [split_heads(layer(x), self.h) for layer in (self.W_Q, self.W_K, self.W_V)]
        mixed, attention = look_up(*parts, mask)
        return self.W_O(merge_heads(mixed)), attention


def copy_weights(mine, theirs):
    d = theirs.embed_dim
    new = {"W_O." + name: tensor for name, tensor in theirs.out_proj.state_dict().items()}
    for i, name in enumerate(["W_Q", "W_K", "W_V"]):
        new[name + ".weight"] = theirs.in_proj_weight[i * d : (i + 1) * d]
        if theirs.in_proj_bias is not None:
            new[name + ".bias"] = theirs.in_proj_bias[i * d : (i + 1) * d]
    mine.load_state_dict(new)
    return mine
