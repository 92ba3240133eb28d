import torch


def causal_mask(n_queries, n_keys=None, device=None):
    n_keys = n_queries if n_keys is None else n_keys
    return torch.ones(n_queries, n_keys, dtype=torch.bool, device=device).triu(n_keys - n_queries + 1)


def padding_mask(lengths, n_keys):
    position = torch.arange(n_keys, device=lengths.device)
    return (position >= lengths.unsqueeze(1)).unsqueeze(1)


def masked_softmax(scores, mask=None):
    if mask is None:
        return torch.softmax(scores, dim=-1)
    visible = ~mask
    # apaga os pares escondidos e normaliza depois
    weights = torch.softmax(scores * visible, dim=-1)
    # linha sem nenhuma chave: tudo zero
    return weights * visible.any(dim=-1, keepdim=True)


def masked_attention(Q, K, V, mask=None):
    scores = Q @ K.transpose(-2, -1) * (Q.shape[-1] ** -0.5)
    weights = masked_softmax(scores, mask)
    return weights @ V, weights


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    T = x.shape[1]
    mask = torch.zeros(1, T, T, dtype=torch.bool, device=x.device)
    if causal:
        mask = mask | causal_mask(T, device=x.device)
    if lengths is not None:
        mask = mask | padding_mask(lengths, T)
    return masked_attention(x @ W_Q, x @ W_K, x @ W_V, mask)
