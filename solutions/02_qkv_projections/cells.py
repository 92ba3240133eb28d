"""Pictures and experiments made from what the learner has written: `qkv` and its like are theirs."""

# ruff: noqa: F821

import torch

from autograder.learn.heatmap import heatmap

# %% who_asks_whom
torch.manual_seed(2)
tokens = message("tokens").split(" / ")
names = {"row_name": message("asks"), "column_name": message("is_asked")}
x = torch.randn(3, 8)
for_queries, for_keys, for_values = torch.randn(8, 5), torch.randn(8, 5), torch.randn(8, 3)
queries, keys, values = qkv(x, for_queries, for_keys, for_values)
title = message("interest_title")
heatmap(queries @ keys.T, tokens, tokens, title=title, **names)

# %% one_matrix_for_both
queries, keys, values = qkv(x, for_queries, for_queries, for_values)
title = message("symmetric_title")
heatmap(queries @ keys.T, tokens, tokens, title=title, **names)

# %% order_is_invisible
order = [2, 0, 1]
shuffled = qkv(x[order], for_queries, for_keys, for_values)
straight = qkv(x, for_queries, for_keys, for_values)
differences = []
for new, old in zip(shuffled, straight, strict=True):
    differences.append((new - old[order]).abs().amax(dim=-1))
columns = [tokens[place] for place in order]
title = message("order_title")
heatmap(torch.stack(differences), ["Q", "K", "V"], columns, title=title)

# %% clock_hands
columns = [message("column") + f" {number}" for number in range(6)]
rows = [str(place) for place in range(8)]
title = message("clock_title")
heatmap(sinusoidal_positions(8, 6), rows, columns, row_name=message("position"), title=title)
