# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     name: python3
# ---

# %% [markdown]
# # 02 three views of the same token

# %%
# %matplotlib inline
import math

import matplotlib.pyplot as plt
import torch
from torch import nn

# %% [markdown]
# ## project, written out as sums

# %%
def project(x, W):
    rows = x.unsqueeze(-1)            # (..., T, d_in, 1)
    return (rows * W).sum(dim=-2)     # (..., T, d_out)


# %%
project(torch.eye(2), torch.arange(6.0).reshape(2, 3))

# %%
def qkv(x, W_Q, W_K, W_V):
    Q = project(x, W_Q)
    K = project(x, W_K)
    V = project(x, W_V)
    return Q, K, V


# %%
def matrix_of(linear):
    return torch.stack([linear.weight[:, i] for i in range(linear.in_features)])


# %%
class QKVProjection(nn.Module):
    """question, match, payload"""

    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.W_Q, self.W_K = (nn.Linear(d_model, d_k, bias=False) for _ in "QK")
        self.W_V = nn.Linear(d_model, d_v, bias=False)

    def forward(self, x):
        return qkv(x, *(matrix_of(layer) for layer in (self.W_Q, self.W_K, self.W_V)))


# %% [markdown]
# ## positions

# %%
def sinusoidal_positions(n, d_model, start=0):
    table = []
    for pos in range(start, start + n):
        row = []
        for i in range(d_model // 2):
            angle = pos / 10000 ** (2 * i / d_model)
            row += [math.sin(angle), math.cos(angle)]
        table.append(row)
    return torch.tensor(table, dtype=torch.float32).reshape(n, d_model)


# %%
plt.figure(figsize=(6, 3))
plt.imshow(sinusoidal_positions(50, 32).T, aspect="auto")
plt.xlabel("position")
plt.ylabel("column")
plt.show()
