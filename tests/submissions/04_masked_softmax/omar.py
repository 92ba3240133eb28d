import torch
import numpy as np

# still missing: masked_attention, self_attention (will send on Monday)


def causal_mask(n_queries, n_keys=None, device=None):
    if n_keys is None:
        n_keys = n_queries
    m = np.zeros((n_queries, n_keys), dtype=bool)
    for i in range(n_queries):
        for j in range(n_keys):
            m[i][j] = i + n_keys - n_queries > j
    return torch.from_numpy(m).to(device)


def padding_mask(lengths, n_keys):
    grid = torch.arange(n_keys, device=lengths.device).repeat(len(lengths), 1, 1)
    return grid >= lengths[:, None, None]


def masked_softmax(scores, mask=None):
    if mask is None:
        return torch.softmax(scores, dim=-1)
    p = torch.softmax(scores.masked_fill(mask, float("-inf")), dim=-1)
    return p.masked_fill(mask, 0)
