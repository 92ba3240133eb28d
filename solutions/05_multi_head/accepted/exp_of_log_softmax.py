# accepted: exponential of log_softmax; query scaled first
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
    Q = split_heads(x @ W_Q, num_heads)
    Q = Q * Q.shape[-1] ** -0.5
    K = split_heads(x @ W_K, num_heads)
    V = split_heads(x @ W_V, num_heads)
    logits = Q @ K.mT
    if mask is not None:
        logits = logits.masked_fill(mask, torch.finfo(logits.dtype).min)
    weights = logits.log_softmax(-1).exp()
    if mask is not None:
        weights = torch.where(mask, torch.zeros_like(weights), weights)
    return merge_heads(weights @ V) @ W_O, weights


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
