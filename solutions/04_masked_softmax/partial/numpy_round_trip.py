# may lose: test_gradients_reach_the_scores, test_gradients_reach_queries_keys_and_values, test_gradients_reach_every_matrix, test_queries_that_see_nothing_have_finite_gradients, test_a_query_that_sees_nothing_gets_a_zero_output, test_an_empty_sequence_gets_zeros, test_a_query_that_sees_nothing_has_finite_gradients, test_gradients_pass_through_attention, test_gradients_pass_through_self_attention
import numpy as np
import torch


def causal_mask(n_queries, n_keys=None, device=None):
    n_keys = n_queries if n_keys is None else n_keys
    i = torch.arange(n_queries, device=device).unsqueeze(1)
    j = torch.arange(n_keys, device=device).unsqueeze(0)
    offset = n_keys - n_queries
    return j > i + offset


def padding_mask(lengths, n_keys):
    cols = torch.arange(n_keys, device=lengths.device)
    return (cols[None, :] >= lengths[:, None]).unsqueeze(1)


def masked_softmax(scores, mask=None):
    s = scores.detach().cpu().to(torch.float64).numpy()
    hidden = np.zeros(s.shape, dtype=bool) if mask is None else np.broadcast_to(mask.cpu().numpy(), s.shape)
    s = np.where(hidden, -1e300, s)
    e = np.where(hidden, 0.0, np.exp(s - s.max(axis=-1, keepdims=True)))
    total = e.sum(axis=-1, keepdims=True)
    return torch.from_numpy(e / np.where(total > 0, total, 1.0)).to(scores.device, scores.dtype)


def masked_attention(Q, K, V, mask=None):
    d_k = K.shape[-1]
    attn = masked_softmax(torch.matmul(Q / d_k ** 0.5, K.transpose(-1, -2)), mask)
    return torch.matmul(attn, V), attn


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    q, k, v = x @ W_Q, x @ W_K, x @ W_V
    n = x.size(1)
    mask = causal_mask(n, n, x.device) if causal else None
    if lengths is not None:
        pad = padding_mask(lengths, n)
        mask = pad if mask is None else mask | pad
    return masked_attention(q, k, v, mask)
