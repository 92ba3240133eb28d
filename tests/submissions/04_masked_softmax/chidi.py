import torch

# I wrote everything with loops first so that I can follow each row by hand.


def causal_mask(n_queries, n_keys=None, device=None):
    if n_keys is None:
        n_keys = n_queries
    rows = []
    for i in range(n_queries):
        position = i + (n_keys - n_queries)      # where this query really stands among the keys
        row = []
        for j in range(n_keys):
            row.append(j > position)
        rows.append(row)
    return torch.tensor(rows, dtype=torch.bool, device=device)


def padding_mask(lengths, n_keys):
    masks = torch.zeros(len(lengths), 1, n_keys, dtype=torch.bool, device=lengths.device)
    for b, length in enumerate(lengths.tolist()):
        masks[b, 0, length:] = True
    return masks


def masked_softmax(scores, mask=None):
    if mask is None:
        mask = torch.zeros(scores.shape, dtype=torch.bool, device=scores.device)
    mask = torch.broadcast_to(mask, scores.shape)
    n_keys = scores.shape[-1]
    flat_scores = scores.reshape(-1, n_keys)
    flat_mask = mask.reshape(-1, n_keys)
    out = []
    for row, hidden in zip(flat_scores, flat_mask):
        visible = (~hidden).nonzero().flatten()
        weights = torch.zeros_like(row)
        if len(visible) > 0:
            # softmax over the keys we may look at, put back where they came from
            weights = weights.index_put((visible,), row[visible].softmax(0))
        else:
            weights = weights + 0 * row          # keeps the graph connected
        out.append(weights)
    if not out:                                  # empty batch
        return scores.clone()
    return torch.stack(out).reshape(scores.shape)


def masked_attention(Q, K, V, mask=None):
    d_k = K.shape[-1]
    weights = masked_softmax(Q @ K.mT / d_k**0.5, mask)
    return weights @ V, weights


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    B, T, _ = x.shape
    if B == 0:
        return masked_attention(x @ W_Q, x @ W_K, x @ W_V)
    outputs, all_weights = [], []
    future = causal_mask(T, device=x.device) if causal else None
    padding = padding_mask(lengths, T) if lengths is not None else None
    for b in range(B):
        hidden = future
        if padding is not None:
            hidden = padding[b] if hidden is None else hidden | padding[b]
        o, w = masked_attention(x[b] @ W_Q, x[b] @ W_K, x[b] @ W_V, hidden)
        outputs.append(o)
        all_weights.append(w)
    return torch.stack(outputs), torch.stack(all_weights)
