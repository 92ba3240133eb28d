# 課題04 マスク付きソフトマックス
# 愛子
import math

import torch


def causal_mask(n_queries, n_keys=None, device=None):
    # n_keys を省略したときは正方形のマスクにする
    if n_keys is None:
        n_keys = n_queries
    ずれ = n_keys - n_queries  # クエリは系列の「最後の」n_queries 個なので、その分だけ右にずらす
    i = torch.arange(n_queries, device=device)[:, None]
    j = torch.arange(n_keys, device=device)[None, :]
    return j > i + ずれ  # True = 見えない(未来)


def padding_mask(lengths, n_keys):
    # lengths: (B,)  →  (B, 1, n_keys)
    位置 = torch.arange(n_keys, device=lengths.device)
    return 位置[None, None, :] >= lengths[:, None, None]


def masked_softmax(scores, mask=None):
    if mask is None:
        return torch.softmax(scores, dim=-1)
    # 全部隠れている行は softmax が NaN になるので、最後に 0 に戻す
    隠す = mask.expand(scores.shape)
    weights = torch.softmax(scores.masked_fill(隠す, float("-inf")), dim=-1)
    return weights.masked_fill(隠す, 0.0)


def masked_attention(Q, K, V, mask=None):
    d_k = Q.shape[-1]
    scores = Q @ K.transpose(-2, -1) / math.sqrt(d_k)  # (..., n_q, n_k)
    weights = masked_softmax(scores, mask)
    return weights @ V, weights


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    B, T, _ = x.shape
    mask = None
    if causal:
        mask = causal_mask(T, device=x.device)[None]  # (1, T, T)
    if lengths is not None:
        pad = padding_mask(lengths, T)  # (B, 1, T)
        # 未来か、パディングか、どちらかなら隠す
        mask = pad if mask is None else mask | pad
    return masked_attention(x @ W_Q, x @ W_K, x @ W_V, mask)


if __name__ == "__main__":
    print(causal_mask(4).int())
    print(padding_mask(torch.tensor([1, 3]), 4))
