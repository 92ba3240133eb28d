# 04 ジュン
import math
import torch


def causal_mask(n_queries, n_keys=None, device=None):
    """i 番目のクエリから見てはいけないキーを True にする"""
    if n_keys is None:
        n_keys = n_queries
    mask = torch.zeros(n_queries, n_keys, dtype=torch.bool, device=device)
    for i in range(n_queries):
        for j in range(n_keys):
            # 過去のトークンだけを見る
            if j >= i + n_keys - n_queries:
                mask[i, j] = True
    return mask


def padding_mask(lengths, n_keys):
    """長さより後ろを隠す"""
    return torch.arange(n_keys, device=lengths.device)[None, None, :] >= lengths[:, None, None]


def masked_softmax(scores, mask=None):
    if mask is None:
        return torch.softmax(scores, dim=-1)
    w = torch.softmax(scores.masked_fill(mask, -math.inf), dim=-1)
    # 全部隠れた行は NaN → 0
    return torch.where(mask, torch.zeros_like(w), w)


def masked_attention(Q, K, V, mask=None):
    scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])
    w = masked_softmax(scores, mask)
    return w @ V, w


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    n = x.shape[1]
    m = torch.zeros(1, n, n, dtype=torch.bool, device=x.device)
    if causal:
        m = m | causal_mask(n, device=x.device)
    if lengths is not None:
        m = m | padding_mask(lengths, n)
    return masked_attention(x @ W_Q, x @ W_K, x @ W_V, m)
