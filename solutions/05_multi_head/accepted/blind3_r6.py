# accepted: in its own way
import math
import torch
from torch import nn
import torch.nn.functional as F

@torch.no_grad()
def copy_weights(mine, theirs):
    layers = [mine.W_Q, mine.W_K, mine.W_V]
    d = theirs.embed_dim
    for n, layer in enumerate(layers):
        part = slice(n * d, (n + 1) * d)
        layer.weight.copy_(theirs.in_proj_weight[part])
        if theirs.in_proj_bias is not None:
            layer.bias.copy_(theirs.in_proj_bias[part])
    mine.W_O.weight.copy_(theirs.out_proj.weight)
    if theirs.out_proj.bias is not None:
        mine.W_O.bias.copy_(theirs.out_proj.bias)

def split_heads(x, num_heads):
    if num_heads < 1 or x.shape[2] % num_heads:
        raise ValueError
    B, T, D = x.shape
    return x.as_strided((B, num_heads, T, D // num_heads), (T * D, D // num_heads, D, 1)) if x.is_contiguous() and x.storage_offset() == 0 else split_heads(x.clone(memory_format=torch.contiguous_format), num_heads)

def merge_heads(x):
    H = x.shape[1]
    eye = torch.eye(H, dtype=x.dtype, device=x.device)
    # (B, H, T, d) and (H, G) -> (B, T, G, d)
    y = torch.einsum("bhtd,hg->btgd", x, eye)
    return y.reshape(x.shape[0], x.shape[2], H * x.shape[3])

def multi_head_attention(x, W_Q, W_K, W_V, W_O, num_heads, mask=None):
    layer = MultiHeadAttention(x.shape[-1], num_heads)
    weights = {"W_Q.weight": W_Q.T, "W_K.weight": W_K.T, "W_V.weight": W_V.T, "W_O.weight": W_O.T}
    return torch.func.functional_call(layer, weights, (x,), {"mask": mask})

class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, bias=False):
        super().__init__()
        if num_heads < 1 or d_model % num_heads:
            raise ValueError
        self.num_heads = num_heads
        self.W_Q = nn.Linear(d_model, d_model, bias=bias)
        self.W_K = nn.Linear(d_model, d_model, bias=bias)
        self.W_V = nn.Linear(d_model, d_model, bias=bias)
        self.W_O = nn.Linear(d_model, d_model, bias=bias)

    def forward(self, x, mask=None):
        Q, K, V = [split_heads(w(x), self.num_heads) for w in (self.W_Q, self.W_K, self.W_V)]
        scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])
        if mask is not None:
            scores[mask.expand_as(scores)] = -1e9
        weights = scores.softmax(-1)
        if mask is not None:
            weights = weights * torch.where(mask, 0.0, 1.0).to(weights.dtype)
        return self.W_O(merge_heads(weights @ V)), weights
