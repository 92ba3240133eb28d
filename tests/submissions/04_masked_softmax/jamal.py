import torch

DEBUG = True


def log(*things):
    if DEBUG:
        print("[debug]", *things)


def causal_mask(n_queries, n_keys=None, device=None):
    if n_keys is None:
        n_keys = n_queries
    m = torch.arange(n_keys, device=device) > torch.arange(n_queries, device=device).view(-1, 1) + n_keys - n_queries
    for row in m:
        log("causal row", row.int().tolist())
    return m


def padding_mask(lengths, n_keys):
    m = torch.arange(n_keys, device=lengths.device).view(1, 1, -1) >= lengths.view(-1, 1, 1)
    log("padding", m.shape, m)
    return m


def masked_softmax(scores, mask=None):
    log("scores", scores)
    if mask is None:
        return torch.softmax(scores, -1)
    w = torch.softmax(scores.masked_fill(mask, -torch.inf), -1).masked_fill(mask, 0)
    log("weights", w)
    for _ in range(20):
        log("row sums", w.sum(-1))
    return w


def masked_attention(Q, K, V, mask=None):
    log("Q", Q.shape, "K", K.shape, "V", V.shape)
    w = masked_softmax(Q @ K.transpose(-2, -1) / (Q.shape[-1] ** 0.5), mask)
    return w @ V, w


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    n = x.size(1)
    mask = torch.zeros(n, n, dtype=torch.bool, device=x.device)
    if causal:
        mask = mask | causal_mask(n, device=x.device)
    if lengths is not None:
        mask = mask | padding_mask(lengths, n)
    return masked_attention(x @ W_Q, x @ W_K, x @ W_V, mask)


# look at every mask up to this size once
for size in range(1, 120):
    for i in range(size):
        print(size, i, "sees", " ".join(str(j) for j in range(i + 1)), "of", size, "keys")
