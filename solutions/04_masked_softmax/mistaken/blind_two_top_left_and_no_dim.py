# mistakes: kv-causal-top-left, softmax-implicit-dim
# causal_mask compares key and query index without the offset n_keys - n_queries.
# masked_softmax leaves softmax's axis out.
import torch
import torch.nn.functional as F


def causal_mask(n_queries, n_keys=None, device=None):
    n_keys = n_queries if n_keys is None else n_keys
    return torch.tensor([[k > q for k in range(n_keys)] for q in range(n_queries)], device=device)


def padding_mask(lengths, n_keys):
    return (torch.arange(n_keys, device=lengths.device).unsqueeze(0) >= lengths.unsqueeze(1)).unsqueeze(1)


def masked_softmax(scores, mask=None):
    if mask is None:
        return F.softmax(scores)
    w = F.softmax(scores.masked_fill(mask, -1e9))
    return w.masked_fill(mask, 0.0)


def masked_attention(Q, K, V, mask=None):
    w = masked_softmax(Q @ K.transpose(-2, -1) / Q.shape[-1] ** 0.5, mask)
    return w @ V, w


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    T = x.shape[1]
    mask = torch.zeros(1, T, T, dtype=torch.bool, device=x.device)
    if causal:
        mask = mask | causal_mask(T, device=x.device)
    if lengths is not None:
        mask = mask | padding_mask(lengths, T)
    return masked_attention(x @ W_Q, x @ W_K, x @ W_V, mask)
