"""Pictures and experiments made from what the learner has written: `causal_mask` and its like are theirs."""

# ruff: noqa: F821

import torch

from autograder.learn.heatmap import heatmap

# %% causal_mask_picture
tokens = message("tokens").split(" / ")
names = {"row_name": message("looks"), "column_name": message("is_looked_at")}
title = message("mask_title")
heatmap(causal_mask(3), tokens, tokens, title=title, **names)

# %% hidden_too_late
scores = torch.tensor([[2.0, 1.0, 0.0], [2.0, 1.0, 0.0]])
keep = torch.tensor([[1.0, 1.0, 1.0], [1.0, 0.0, 1.0]])
too_late = scores.softmax(dim=-1) * keep
with_sums = torch.cat([too_late, too_late.sum(dim=-1, keepdim=True)], dim=-1)
columns = [message("key_0"), message("key_1"), message("key_2"), message("sum")]
rows = [message("nothing_hidden"), message("key_1_hidden")]
title = message("too_late_title")
heatmap(with_sums, rows, columns, title=title)

# %% loud_hidden_key
loudness = [0.0, 10.0, 100.0, 1000.0]
loud_scores = torch.tensor([[2.0, loud, 0.0] for loud in loudness])
loud_weights = masked_softmax(loud_scores, mask=torch.tensor([False, True, False]))
rows = [message("hidden_score") + f" {loud:g}" for loud in loudness]
title = message("loud_title")
heatmap(loud_weights, rows, columns[:3], title=title)

# %% weights_picture
torch.manual_seed(4)
queries, keys, values = torch.randn(3, 5), torch.randn(3, 5), torch.randn(3, 2)
_, seen = masked_attention(queries, keys, values, mask=causal_mask(3))
title = message("weights_title")
heatmap(seen, tokens, tokens, title=title, **names)

# %% the_last_word_changes
torch.manual_seed(5)
x, changed_x = torch.randn(1, 3, 6), torch.randn(1, 3, 6)
changed_x[:, :2] = x[:, :2]
matrices = [torch.randn(6, 5), torch.randn(6, 5), torch.randn(6, 4)]
moved = []
for causal in (False, True):
    before, _ = self_attention(x, *matrices, causal=causal)
    after, _ = self_attention(changed_x, *matrices, causal=causal)
    moved.append((after - before).abs().amax(dim=-1)[0])
rows = ["causal=False", "causal=True"]
title = message("moved_title")
heatmap(torch.stack(moved), rows, tokens, title=title)
