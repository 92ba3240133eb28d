# may lose: test_the_pieces_of_a_token_stand_side_by_side, test_heads_of_any_number_and_width_are_merged, test_an_empty_batch_is_merged, test_gradients_pass_through_the_merge, test_merged_tokens_keep_the_dtype
import torch
from torch import nn


def split_heads(x, num_heads):
    B, T, d_model = x.shape
    if num_heads < 1 or d_model % num_heads:
        raise ValueError("num_heads must divide d_model")
    return x.reshape(B, T, num_heads, d_model // num_heads).transpose(1, 2)


def merge_heads(x):
    B, H, T, d = x.size()
    return x.transpose(1, 2).view(B, T, H * d)


def multi_head_attention(x, W_Q, W_K, W_V, W_O, num_heads, mask=None):
    B, T, d_model = x.shape
    if num_heads < 1 or d_model % num_heads != 0:
        raise ValueError("d_model / num_heads")
    d_k = d_model // num_heads
    masks = None if mask is None else torch.broadcast_to(mask, (B, num_heads, T, T))
    output, tables = 0, []
    for h in range(num_heads):
        mine = slice(h * d_k, (h + 1) * d_k)
        q, k, v = x @ W_Q[:, mine], x @ W_K[:, mine], x @ W_V[:, mine]
        scores = q @ k.transpose(1, 2) / d_k**0.5
        if masks is not None:
            scores = scores.masked_fill(masks[:, h], float("-inf"))
        table = scores.softmax(dim=-1).nan_to_num(nan=0.0)
        tables.append(table)
        output = output + (table @ v) @ W_O[mine]
    return output, torch.stack(tables, dim=1)


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
    d = theirs.embed_dim
    new = {"W_O." + name: tensor for name, tensor in theirs.out_proj.state_dict().items()}
    for i, name in enumerate(["W_Q", "W_K", "W_V"]):
        new[name + ".weight"] = theirs.in_proj_weight[i * d : (i + 1) * d]
        if theirs.in_proj_bias is not None:
            new[name + ".bias"] = theirs.in_proj_bias[i * d : (i + 1) * d]
    mine.load_state_dict(new)
    return mine
