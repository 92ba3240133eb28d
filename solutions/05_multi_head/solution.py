"""Multi-head attention: several views of the same tokens at once. In every mask True means hidden."""

import math

import torch
from torch import Tensor, nn


def split_heads(x: Tensor, num_heads: int) -> Tensor:
    """Cut the features of every token into `num_heads` equal pieces: (B, T, d_model) -> (B, H, T, d_k)."""
    B, T, d_model = x.shape
    _check_heads(d_model, num_heads)
    d_k = d_model // num_heads
    by_token = x.reshape(B, T, num_heads, d_k)               # (B, T, H, d_k)       a token's features in H pieces
    by_head = by_token.transpose(1, 2)                       # (B, H, T, d_k)       a head's piece of every token
    return by_head


def merge_heads(x: Tensor) -> Tensor:
    """Put the heads' pieces of every token side by side again: (B, H, T, d_k) -> (B, T, H * d_k)."""
    by_token = x.transpose(1, 2)                             # (B, T, H, d_k)
    joined = by_token.flatten(2)                             # (B, T, H * d_k)
    return joined


def multi_head_attention(
    x: Tensor, W_Q: Tensor, W_K: Tensor, W_V: Tensor, W_O: Tensor, num_heads: int, mask: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """Let the tokens of x (B, T, d_model) look at each other, once for each head: (output, weights (B, H, T, T))."""
    Q = split_heads(x @ W_Q, num_heads)                      # (B, H, T, d_k)
    K = split_heads(x @ W_K, num_heads)                      # (B, H, T, d_k)
    V = split_heads(x @ W_V, num_heads)                      # (B, H, T, d_k)
    mixed, weights = _attend(Q, K, V, mask)                  # (B, H, T, d_k), (B, H, T, T)
    joined = merge_heads(mixed)                              # (B, T, d_model)      each head in its own columns
    output = joined @ W_O                                    # (B, T, d_model)      here the heads are combined
    return output, weights


class MultiHeadAttention(nn.Module):
    """The same as a layer with weights of its own. `bias` concerns all four projections."""

    def __init__(self, d_model: int, num_heads: int, bias: bool = False) -> None:
        super().__init__()
        _check_heads(d_model, num_heads)
        self.num_heads = num_heads
        self.W_Q = nn.Linear(d_model, d_model, bias=bias)
        self.W_K = nn.Linear(d_model, d_model, bias=bias)
        self.W_V = nn.Linear(d_model, d_model, bias=bias)
        self.W_O = nn.Linear(d_model, d_model, bias=bias)

    def forward(self, x: Tensor, mask: Tensor | None = None) -> tuple[Tensor, Tensor]:
        """(B, T, d_model) -> (output (B, T, d_model), weights (B, H, T, T))."""
        queries = split_heads(self.W_Q(x), self.num_heads)   # (B, H, T, d_k)
        keys = split_heads(self.W_K(x), self.num_heads)      # (B, H, T, d_k)
        values = split_heads(self.W_V(x), self.num_heads)    # (B, H, T, d_k)
        heads, attention = _attend(queries, keys, values, mask)  # (B, H, T, d_k), (B, H, T, T)
        side_by_side = merge_heads(heads)                    # (B, T, d_model)
        combined = self.W_O(side_by_side)                    # (B, T, d_model)
        return combined, attention


def copy_weights(mine: MultiHeadAttention, theirs: nn.MultiheadAttention) -> None:
    """Fill `mine` with the numbers of PyTorch's own layer, so that both give the same."""
    with torch.no_grad():
        from_Q, from_K, from_V = theirs.in_proj_weight.chunk(3)  # (d_model, d_model) each: stored under each other
        mine.W_Q.weight.copy_(from_Q)
        mine.W_K.weight.copy_(from_K)
        mine.W_V.weight.copy_(from_V)
        mine.W_O.weight.copy_(theirs.out_proj.weight)
        if theirs.in_proj_bias is not None:
            bias_Q, bias_K, bias_V = theirs.in_proj_bias.chunk(3)  # (d_model,) each
            mine.W_Q.bias.copy_(bias_Q)
            mine.W_K.bias.copy_(bias_K)
            mine.W_V.bias.copy_(bias_V)
            mine.W_O.bias.copy_(theirs.out_proj.bias)


def _check_heads(d_model: int, num_heads: int) -> None:
    """Raises ValueError where the heads cannot share the features evenly."""
    if num_heads < 1 or d_model % num_heads != 0:
        raise ValueError(f"{d_model} features cannot be shared evenly by {num_heads} heads")


def _attend(Q: Tensor, K: Tensor, V: Tensor, mask: Tensor | None) -> tuple[Tensor, Tensor]:
    """Scaled dot-product attention, in each head by itself: (mixed values, weights)."""
    similarities = Q @ K.transpose(-2, -1)                   # (B, H, T, T)
    scores = similarities / math.sqrt(Q.shape[-1])           # (B, H, T, T)         d_k, a head's own width
    shares = _masked_softmax(scores, mask)                   # (B, H, T, T)
    mixed = shares @ V                                       # (B, H, T, d_k)
    return mixed, shares


def _masked_softmax(scores: Tensor, mask: Tensor | None) -> Tensor:
    """Softmax over the visible keys of each query; a query that sees nothing gets zeros."""
    visible = scores if mask is None else scores.masked_fill(mask, -math.inf)  # (B, H, T, T)
    peak = visible.amax(dim=-1, keepdim=True)                # (B, H, T, 1)
    peak = peak.masked_fill(peak == -math.inf, 0.0)          # (B, H, T, 1)         nothing visible: -inf - -inf is NaN
    exponentials = torch.exp(visible - peak)                 # (B, H, T, T)         exp(-inf) is exactly 0
    total = exponentials.sum(dim=-1, keepdim=True)           # (B, H, T, 1)
    total = total.masked_fill(total == 0, 1.0)               # (B, H, T, 1)         nothing visible: 0 / 1, not 0 / 0
    return exponentials / total                              # (B, H, T, T)
