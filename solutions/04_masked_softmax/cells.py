"""Pictures and experiments made from what the learner has written: `causal_mask` and its like are theirs."""

# ruff: noqa: F821

import torch

from autograder.learn.heatmap import heatmap

# %% causal_mask_picture
tokens = message("tokens").split(" / ")
names = {"row_name": message("looks"), "column_name": message("is_looked_at")}
heatmap(causal_mask(3), tokens, tokens, title=message("mask_title"), **names)

# %% hidden_too_late
scores = torch.tensor([[2.0, 1.0, 0.0], [2.0, 1.0, 0.0]])
keep = torch.tensor([[True, True, True], [True, False, True]])  # here True keeps: this is not one of our masks
too_late = scores.softmax(dim=-1) * keep
row_sums = too_late.sum(dim=-1, keepdim=True)
columns = [message("key_0"), message("key_1"), message("key_2"), message("sum")]
rows = [message("nothing_hidden"), message("key_1_hidden")]
heatmap(torch.cat([too_late, row_sums], dim=-1), rows, columns, title=message("too_late_title"))

# %% loud_hidden_key
loudness = [0.0, 10.0, 100.0, 1000.0]
loud_scores = torch.tensor([[2.0, loud, 0.0] for loud in loudness])
loud_weights = masked_softmax(loud_scores, mask=torch.tensor([False, True, False]))
rows = [message("hidden_score") + f" {loud:g}" for loud in loudness]
heatmap(loud_weights, rows, columns[:3], title=message("loud_title"))

# %% weights_picture
torch.manual_seed(4)
queries, keys, values = torch.randn(3, 5), torch.randn(3, 5), torch.randn(3, 2)
_, seen = masked_attention(queries, keys, values, mask=causal_mask(3))
heatmap(seen, tokens, tokens, title=message("weights_title"), **names)

# %% the_last_word_changes
torch.manual_seed(5)
x, changed_x = torch.randn(1, 3, 6), torch.randn(1, 3, 6)
changed_x[:, :2] = x[:, :2]  # only the last token differs
matrices = [torch.randn(6, 5), torch.randn(6, 5), torch.randn(6, 4)]
moved = []
for causal in (False, True):
    before, _ = self_attention(x, *matrices, causal=causal)
    after, _ = self_attention(changed_x, *matrices, causal=causal)
    moved.append((after - before).abs().amax(dim=-1)[0])  # the largest change of each token's output
heatmap(torch.stack(moved), ["causal=False", "causal=True"], tokens, title=message("moved_title"))
