# mistakes: proj-unpack-order-swapped
import torch


def causal_mask(n_queries, n_keys=None, device=None):
    n_keys = n_queries if n_keys is None else n_keys
    seen = torch.ones(n_queries, n_keys, device=device).tril(diagonal=n_keys - n_queries)
    return seen == 0


def padding_mask(lengths, n_keys):
    steps = torch.arange(n_keys, device=lengths.device).repeat(lengths.shape[0], 1)
    return torch.ge(steps, lengths[:, None]).view(-1, 1, n_keys)


def masked_softmax(scores, mask=None):
    if mask is None:
        return torch.softmax(scores, dim=-1)
    mask = mask.expand(scores.shape)
    nothing = mask.all(dim=-1, keepdim=True)
    s = scores.masked_fill(mask, float("-inf")).masked_fill(nothing, 0.0)
    return torch.softmax(s, dim=-1).masked_fill(mask, 0.0)


def masked_attention(Q, K, V, mask=None):
    logits = torch.matmul(Q, K.transpose(-1, -2))
    logits = logits / Q.shape[-1] ** 0.5
    att = masked_softmax(logits, mask=mask)
    y = torch.matmul(att, V)
    return y, att


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    q, v, k = [x.matmul(W) for W in (W_Q, W_K, W_V)]
    T = x.shape[1]
    hidden = torch.zeros(T, T, dtype=torch.bool, device=x.device)
    if causal:
        hidden = hidden | causal_mask(T, device=x.device)
    if lengths is not None:
        hidden = hidden | padding_mask(lengths, T)
    return masked_attention(q, k, v, hidden)
