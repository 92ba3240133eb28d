# may lose: test_a_query_that_sees_nothing_gets_zeros, test_queries_that_see_nothing_have_finite_gradients, test_a_query_that_sees_nothing_gets_a_zero_output, test_an_empty_sequence_gets_zeros, test_a_query_that_sees_nothing_has_finite_gradients
import torch
import torch.nn.functional as F


def causal_mask(n_queries, n_keys=None, device=None):
    n_keys = n_queries if n_keys is None else n_keys
    keep = torch.tril(torch.ones(n_queries, n_keys, device=device), diagonal=n_keys - n_queries)
    return keep == 0


def padding_mask(lengths, n_keys):
    return torch.arange(n_keys, device=lengths.device).view(1, 1, -1) >= lengths.view(-1, 1, 1)


def masked_softmax(scores, mask=None):
    if mask is not None:
        scores = scores.masked_fill(mask, float("-inf"))
    return F.softmax(scores, dim=-1)


def masked_attention(Q, K, V, mask=None):
    scores = torch.einsum("...id,...jd->...ij", Q, K) * Q.shape[-1] ** -0.5
    attn = masked_softmax(scores, mask)
    out = torch.einsum("...ij,...jv->...iv", attn, V)
    return out, attn


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    T = x.shape[1]
    mask = torch.zeros(T, T, dtype=torch.bool, device=x.device)
    if causal:
        mask = mask | causal_mask(T, device=x.device)
    if lengths is not None:
        mask = mask | padding_mask(lengths, T)
    return masked_attention(x @ W_Q, x @ W_K, x @ W_V, mask)
