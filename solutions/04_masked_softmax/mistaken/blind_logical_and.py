# mistakes: mask-combined-with-wrong-operator
# self_attention joins the causal and the padding mask with "and", hiding only what both hide.
import numpy as np
import torch


def causal_mask(n_queries, n_keys=None, device=None):
    n_keys = n_queries if n_keys is None else n_keys
    allowed = np.tri(n_queries, n_keys, k=n_keys - n_queries, dtype=bool)
    return torch.from_numpy(~allowed).to(device) if device is not None else torch.from_numpy(~allowed)


def padding_mask(lengths, n_keys):
    steps = torch.arange(n_keys, device=lengths.device).repeat(lengths.shape[0], 1)
    return (steps >= lengths.unsqueeze(-1))[:, None]


def masked_softmax(scores, mask=None):
    if mask is not None:
        scores = torch.where(mask, torch.full_like(scores, -1e9), scores)
    out = torch.softmax(scores, dim=-1)
    if mask is not None:
        out = torch.where(mask, torch.zeros_like(out), out)
    return out


def masked_attention(Q, K, V, mask=None):
    logits = torch.einsum("...qd,...kd->...qk", Q, K) / np.sqrt(Q.shape[-1]).item()
    A = masked_softmax(logits, mask)
    return torch.einsum("...qk,...kv->...qv", A, V), A


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    n = x.shape[1]
    masks = []
    if causal:
        masks.append(causal_mask(n, device=x.device).unsqueeze(0))
    if lengths is not None:
        masks.append(padding_mask(lengths, n))
    combined = None
    for m in masks:
        combined = m if combined is None else torch.logical_and(combined, m)
    return masked_attention(x @ W_Q, x @ W_K, x @ W_V, combined)
