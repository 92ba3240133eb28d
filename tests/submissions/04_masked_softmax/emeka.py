# %% [markdown]
# # 04 masked softmax
# Work through the cells from top to bottom.

# %%
import math

import torch

torch.manual_seed(0)

# %% [markdown]
# ## causal mask

# %%
def causal_mask(n_queries, n_keys=None, device=None):
    n_keys = n_queries if n_keys is None else n_keys
    q = torch.arange(n_keys - n_queries, n_keys, device=device)   # positions of the queries
    k = torch.arange(n_keys, device=device)
    return k.unsqueeze(0) > q.unsqueeze(1)


# %%
causal_mask(4)

# %%
causal_mask(2, 5).int()

# %% [markdown]
# ## padding

# %%
def padding_mask(lengths, n_keys):
    k = torch.arange(n_keys, device=lengths.device)
    return torch.ge(k, lengths[:, None, None])


# %% [markdown]
# ## softmax by hand
# `e^(s - max)` divided by its sum; rows with nothing to see stay zero.

# %%
def masked_softmax(scores, mask=None):
    if mask is not None:
        scores = scores.masked_fill(mask, -math.inf)
    top = scores.detach().amax(dim=-1, keepdim=True)
    top = torch.where(torch.isinf(top), torch.zeros_like(top), top)
    e = torch.exp(scores - top)
    total = e.sum(dim=-1, keepdim=True)
    return e / torch.where(total == 0, torch.ones_like(total), total)


# %%
s = torch.randn(3, 3)
(masked_softmax(s) - s.softmax(-1)).abs().max()

# %%
def masked_attention(Q, K, V, mask=None):
    scale = 1 / math.sqrt(Q.shape[-1])
    weights = masked_softmax(scale * (Q @ K.transpose(-2, -1)), mask)
    return weights @ V, weights


# %%
def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    n = x.shape[1]
    hidden = torch.zeros(x.shape[0], n, n, dtype=torch.bool, device=x.device)
    if causal:
        hidden |= causal_mask(n, device=x.device)
    if lengths is not None:
        hidden |= padding_mask(lengths, n)
    return masked_attention(x @ W_Q, x @ W_K, x @ W_V, hidden)


# %% [markdown]
# what happens to a sentence of length 0?

# %%
x = torch.randn(2, 3, 4)
W = torch.randn(4, 4)
out, w = self_attention(x, W, W, W, lengths=torch.tensor([0, 3]))
print(w)
