# mistakes: mask-fully-masked-row-attends-everything, mask-added-in-float32
import math
import torch
import torch.nn.functional as F


def causal_mask(n_queries, n_keys=None, device=None):
    if n_keys is None:
        n_keys = n_queries
    look_ahead = 1 - torch.tril(torch.ones(n_queries, n_keys, device=device), n_keys - n_queries)
    return look_ahead.bool()


def padding_mask(lengths, n_keys):
    seq = torch.arange(n_keys, device=lengths.device)
    return (seq[None, None, :] >= lengths[:, None, None])


def masked_softmax(scores, mask=None):
    scaled_attention_logits = scores
    # add the mask to the scaled tensor.
    if mask is not None:
        scaled_attention_logits = scaled_attention_logits + (mask * -1e9)
    return F.softmax(scaled_attention_logits, dim=-1)


def masked_attention(q, k, v, mask=None):
    matmul_qk = torch.matmul(q, k.transpose(-2, -1))
    dk = k.shape[-1]
    attention_weights = masked_softmax(matmul_qk / math.sqrt(dk), mask)
    output = torch.matmul(attention_weights, v)
    return output, attention_weights


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    seq_len = x.shape[1]
    mask = None
    if causal:
        mask = causal_mask(seq_len, device=x.device)
    if lengths is not None:
        pad = padding_mask(lengths, seq_len)
        mask = pad if mask is None else torch.maximum(mask, pad)
    return masked_attention(x @ W_Q, x @ W_K, x @ W_V, mask)
