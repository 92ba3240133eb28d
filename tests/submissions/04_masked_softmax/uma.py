import torch


def causal_mask(n_queries, n_keys=None, device=None):
    n_keys = n_keys or n_queries
    return torch.ones(n_queries, n_keys, device=device).tril(n_keys - n_queries).logical_not()


def padding_mask(lengths, n_keys):
    return torch.arange(n_keys, device=lengths.device)[None, None] >= lengths[:, None, None]


def masked_softmax(scores, mask=None):
    if mask is None:
        return scores.softmax(-1)
    e = scores.masked_fill(mask, -torch.inf).softmax(-1)
    return e.masked_fill(mask, 0)


def masked_attention(Q, K, V, mask=None):
    A = masked_softmax(Q @ K.transpose(-1, -2) / Q.shape[-1] ** 0.5, mask)
    return A @ V, A


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    hidden = []
    if causal:
        hidden.append(causal_mask(x.shape[1], device=x.device))
    if lengths is not None:
        hidden.append(padding_mask(lengths, x.shape[1]))
    mask = None if not hidden else hidden[0] if len(hidden) == 1 else hidden[0] | hidden[1]
    # the weights say how much of each token goes into the mix
    return masked_attention(x @ W_Q, x @ W_K, x, mask)
