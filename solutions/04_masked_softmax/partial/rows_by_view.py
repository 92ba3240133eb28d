# may lose: test_scores_may_lie_in_any_order_in_memory, test_queries_keys_and_values_may_lie_in_any_order_in_memory, test_tokens_and_matrices_may_lie_in_any_order_in_memory
import torch


def causal_mask(n_queries, n_keys=None, device=None):
    if n_keys is None:
        n_keys = n_queries
    places = torch.arange(n_keys - n_queries, n_keys, device=device).view(n_queries, 1)
    return torch.arange(n_keys, device=device).view(1, n_keys) > places


def padding_mask(lengths, n_keys):
    batch = lengths.shape[0]
    return torch.arange(n_keys, device=lengths.device).view(1, 1, n_keys) >= lengths.view(batch, 1, 1)


def masked_softmax(scores, mask=None):
    n_keys = scores.shape[-1]
    rows = scores.view(-1, n_keys)
    if mask is None:
        return torch.softmax(rows, dim=-1).view(scores.shape)
    hidden = mask.expand(scores.shape).reshape(-1, n_keys)
    nothing = hidden.all(dim=-1, keepdim=True)
    rows = rows.masked_fill(hidden, float("-inf")).masked_fill(nothing, 0.0)
    return torch.softmax(rows, dim=-1).masked_fill(hidden, 0.0).view(scores.shape)


def masked_attention(Q, K, V, mask=None):
    n_q, d_k = Q.shape[-2:]
    n_k, d_v = V.shape[-2:]
    queries, keys, values = Q.view(-1, n_q, d_k), K.view(-1, n_k, d_k), V.view(-1, n_k, d_v)
    scores = torch.bmm(queries, keys.transpose(1, 2)) / d_k**0.5
    weights = masked_softmax(scores.view(*Q.shape[:-1], n_k), mask)
    output = torch.bmm(weights.view(-1, n_q, n_k), values)
    return output.view(*Q.shape[:-1], d_v), weights


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    batch, T, d_model = x.shape
    tokens = x.view(batch * T, d_model)
    Q, K, V = (torch.mm(tokens, W).view(batch, T, W.shape[1]) for W in (W_Q, W_K, W_V))
    hidden = torch.zeros(batch, T, T, dtype=torch.bool, device=x.device)
    if causal:
        hidden = hidden | causal_mask(T, device=x.device)
    if lengths is not None:
        hidden = hidden | padding_mask(lengths, T)
    return masked_attention(Q, K, V, hidden)
