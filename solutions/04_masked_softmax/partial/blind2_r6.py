# may lose: test_early_queries_without_keys_see_nothing
import torch
from torch import Tensor


def causal_mask(n_queries, n_keys=None, device=None):
    if n_keys is None:
        n_keys = n_queries
    mask = torch.zeros(n_queries, n_keys, device=device, dtype=torch.bool)
    q = n_queries - 1
    last_visible = n_keys - 1
    while q >= 0:
        mask[q, last_visible + 1 :] = True
        q -= 1
        last_visible -= 1
    return mask


def padding_mask(lengths, n_keys):
    columns = [lengths <= k for k in range(n_keys)]
    return torch.stack(columns, dim=-1).unsqueeze(1)


def masked_softmax(scores, mask=None):
    # in double precision, and only then back to what was asked for
    work = scores.double()
    if mask is not None:
        work = torch.where(mask, -1e300, work)
    work = work - work.amax(-1, keepdim=True)
    shares = work.exp()
    if mask is not None:
        shares = shares * ~mask
    shares = shares / shares.sum(-1, keepdim=True).clamp(min=0.5)
    return shares.to(scores.dtype)


def masked_attention(Q, K, V, mask=None):
    d_k = torch.tensor(float(K.shape[-1]), dtype=torch.float64)
    weights = masked_softmax(Q @ K.transpose(-2, -1) / d_k.sqrt().item(), mask)
    return weights @ V, weights


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    B, T, _ = x.shape
    if B == 0:
        return masked_attention(x @ W_Q, x @ W_K, x @ W_V)
    outputs, weights = [], []
    for b in range(B):
        mask = torch.zeros(T, T, dtype=torch.bool, device=x.device)
        if causal:
            mask |= causal_mask(T, device=x.device)
        if lengths is not None:
            mask[:, lengths[b] :] = True
        o, w = masked_attention(x[b] @ W_Q, x[b] @ W_K, x[b] @ W_V, mask)
        outputs.append(o)
        weights.append(w)
    return torch.stack(outputs), torch.stack(weights)
