# mistakes: mask-after-softmax-no-renormalise
# masked_softmax zeroes hidden weights after the softmax and does not renormalise.
import torch


def causal_mask(n_queries, n_keys=None, device=None):
    n_keys = n_queries if n_keys is None else n_keys
    rows = [[j > i + n_keys - n_queries for j in range(n_keys)] for i in range(n_queries)]
    return torch.tensor(rows, dtype=torch.bool, device=device)


def padding_mask(lengths, n_keys):
    return (torch.arange(n_keys, device=lengths.device) >= lengths[:, None]).unsqueeze(-2)


def masked_softmax(scores, mask=None):
    e = torch.exp(scores - scores.amax(-1, keepdim=True))
    probs = e / e.sum(-1, keepdim=True)
    if mask is not None:
        keep = torch.logical_not(mask).to(scores.dtype)
        probs = probs * keep
    return probs


def masked_attention(Q, K, V, mask=None):
    scale = 1.0 / (Q.shape[-1] ** 0.5)
    attn = masked_softmax(scale * (Q @ torch.swapaxes(K, -1, -2)), mask)
    return attn @ V, attn


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    T = x.shape[1]
    hide = torch.zeros(T, T, dtype=torch.bool, device=x.device)
    if causal:
        hide = causal_mask(T, device=x.device)
    if lengths is not None:
        hide = hide | padding_mask(lengths, T)
    return masked_attention(x @ W_Q, x @ W_K, x @ W_V, hide)
