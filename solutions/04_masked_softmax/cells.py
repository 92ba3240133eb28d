"""Pictures and experiments made from what the learner has written: `causal_mask` and its like are theirs."""

# ruff: noqa: F821

import math

import matplotlib.pyplot as plt
import torch
from helpers import WORDS, bare_mha, loss_of, loss_while_writing, sentences, trained
from torch.nn.functional import scaled_dot_product_attention

from autograder.learn.heatmap import heatmap
from autograder.learn.picture import picture

# %% causal_mask_picture
tokens = message("tokens").split(" / ")
names = {"row_name": message("looks"), "column_name": message("is_looked_at")}
title = message("mask_title")
heatmap(causal_mask(3), tokens, tokens, title=title, **names)

# %% two_new_queries
four_tokens = [*tokens, "。"]
title = message("new_queries_title")
heatmap(causal_mask(2, n_keys=4), four_tokens[2:], four_tokens, title=title, **names)

# %% counted_from_the_start
title = message("from_the_start_title")
heatmap(causal_mask(4)[:2], four_tokens[2:], four_tokens, title=title, **names)

# %% padding_picture
four_sentences = message("four_sentences").split(" / ")
lengths = torch.tensor([4, 2, 1, 3])
hides_padding = padding_mask(lengths, 4)  # (4, 1, 4)
columns = [message("key") + f" {number}" for number in range(4)]
title = message("padding_title")
heatmap(hides_padding[:, 0], four_sentences, columns, title=title)

# %% axis_left_out
nothing_hidden = torch.zeros(4, 4, 4, dtype=torch.bool)  # four sentences, four queries, four keys
spread = nothing_hidden | hides_padding[:, 0]  # the axis for the queries is left out
rows = [message("query") + f" {number}" for number in range(4)]
title = message("axis_title")
heatmap(spread[0], rows, columns, title=title)

# %% hidden_too_late
scores = torch.tensor([[2.0, 1.0, 0.0], [2.0, 1.0, 0.0]])
keep = torch.tensor([[1.0, 1.0, 1.0], [1.0, 0.0, 1.0]])
too_late = scores.softmax(dim=-1) * keep
with_sums = torch.cat([too_late, too_late.sum(dim=-1, keepdim=True)], dim=-1)
rows = [message("nothing_hidden"), message("key_1_hidden")]
title = message("too_late_title")
heatmap(with_sums, rows, [*columns[:3], message("sum")], title=title)

# %% loud_hidden_key
loudness = [0.0, 10.0, 100.0, 1000.0]
loud_scores = torch.tensor([[2.0, loud, 0.0] for loud in loudness])
loud_weights = masked_softmax(loud_scores, mask=torch.tensor([False, True, False]))
rows = [message("hidden_score") + f" {loud:g}" for loud in loudness]
title = message("loud_title")
heatmap(loud_weights, rows, columns[:3], title=title)

# %% lowest_numbers
types = (torch.float32, torch.bfloat16, torch.float16)
stored = [[torch.finfo(dtype).min, torch.full((1,), -1e9, dtype=dtype).item()] for dtype in types]
title = message("types_title")
heatmap(stored, types, [message("lowest_number"), message("stored")], title=title)

# %% weights_picture
torch.manual_seed(4)
queries, keys, values = torch.randn(3, 1, 3, 5)
_, seen = masked_attention(queries, keys, values, mask=causal_mask(3))
title = message("weights_title")
heatmap(seen[0], tokens, tokens, title=title, **names)

# %% two_conventions
mask = causal_mask(3)
yours, _ = masked_attention(queries, keys, values, mask=mask)
outputs = [
    bare_mha(5)(queries, keys, values, attn_mask=mask)[0],
    scaled_dot_product_attention(queries, keys, values, attn_mask=mask),
    scaled_dot_product_attention(queries, keys, values, attn_mask=~mask),
]
gaps = [[(output - yours).abs().max().item()] for output in outputs]
rows = [
    "nn.MultiheadAttention, attn_mask=mask",
    "F.scaled_dot_product_attention, attn_mask=mask",
    "F.scaled_dot_product_attention, attn_mask=~mask",
]
title = message("conventions_title")
heatmap(gaps, rows, [message("largest_gap")], title=title)

# %% the_other_reading
_, seen = masked_attention(queries, keys, values, mask=~mask)
title = message("other_reading_title")
heatmap(seen[0], tokens, tokens, title=title, **names)

# %% nothing_to_see
two_sentences = torch.randn(2, 3, 4)
hides_all_of_one = padding_mask(torch.tensor([3, 0]), 3)  # the second sentence is empty
mha = bare_mha(4)


def of_pytorch(x):
    """What nn.MultiheadAttention makes of it."""
    return mha(x, x, x, key_padding_mask=hides_all_of_one[:, 0])[0]


def repaired(x):
    """The same, with every NaN of the result replaced by 0."""
    return torch.nan_to_num(of_pytorch(x))


def your_own(x):
    """What your function makes of it."""
    return masked_attention(x, x, x, mask=hides_all_of_one)[0]


counts = []
for attend in (of_pytorch, repaired, your_own):
    shared = torch.eye(4, requires_grad=True)  # a matrix that both sentences go through
    output = attend(two_sentences @ shared)
    output.sum().backward()
    counts.append([int(output.isnan().sum()), int(shared.grad.isnan().sum())])
rows = ["nn.MultiheadAttention", message("then_nan_to_num"), "masked_attention"]
columns = [message("nan_in_output"), message("nan_in_gradient")]
title = message("nan_title")
heatmap(counts, rows, columns, title=title)

# %% both_reasons
torch.manual_seed(5)
x = torch.randn(2, 4, 6)
matrices = [torch.randn(6, 5), torch.randn(6, 5), torch.randn(6, 4)]
_, seen = self_attention(x, *matrices, causal=True, lengths=torch.tensor([4, 2]))
short_sentence = message("short_sentence").split(" / ")
title = message("both_title")
heatmap(seen[1], short_sentence, short_sentence, title=title, **names)

# %% the_last_word_changes
x, changed_x = torch.randn(1, 3, 6), torch.randn(1, 3, 6)
changed_x[:, :2] = x[:, :2]
moved = []
for causal in (False, True):
    before, _ = self_attention(x, *matrices, causal=causal)
    after, _ = self_attention(changed_x, *matrices, causal=causal)
    moved.append((after - before).abs().amax(dim=-1)[0])
rows = ["causal=False", "causal=True"]
title = message("moved_title")
heatmap(torch.stack(moved), rows, tokens, title=title)

# %% padding_on_the_wrong_side
filled, refilled = torch.randn(1, 4, 6), torch.randn(1, 4, 6)
refilled[:, :2] = filled[:, :2]  # two real tokens; what fills the rest has changed
both = [[batch @ matrix for matrix in matrices] for batch in (filled, refilled)]  # their Q, K, V
hides_keys = padding_mask(torch.tensor([2]), 4)  # (1, 1, 4)
masks = {
    message("no_mask"): None,
    message("on_keys"): hides_keys,
    message("on_queries"): hides_keys.transpose(1, 2),  # (1, 4, 1)
}
moved = []
for mask in masks.values():
    before, after = (masked_attention(*projected, mask=mask)[0] for projected in both)
    moved.append((after - before).abs().amax(dim=-1)[0])
title = message("wrong_side_title")
heatmap(torch.stack(moved), list(masks), short_sentence, title=title)

# %% too_good_to_be_true


def looking_back(x, *matrices):
    """Self-attention of a model that may not see what comes next."""
    return self_attention(x, *matrices, causal=True)


honest, honest_losses = trained(looking_back)
leaky, leaky_losses = trained(self_attention)
lowest = 5 * math.log(4) / 11  # 5 of 11 words are drawn from four
figure, axes = plt.subplots(figsize=(6.5, 3.5))
axes.plot(honest_losses, label=message("with_mask"))
axes.plot(leaky_losses, "--", label=message("without_mask"))
axes.axhline(lowest, color="k", linestyle=":", label=message("lowest"))
axes.set(xlabel=message("training_step"), ylabel=message("loss"), ylim=(-0.05, 2.5))
axes.legend()
picture(figure, message("leak_alt"))

# %% while_writing
read, following = sentences(200, seed=1000)  # lines drawn anew
results = []
for model in (honest, leaky):
    in_training = loss_of(model, read, following).item()
    results.append([in_training, loss_while_writing(model, read, following)])
rows = [message("with_mask"), message("without_mask")]
columns = [message("all_in_view"), message("nothing_ahead")]
title = message("writing_title")
heatmap(results, rows, columns, title=title)

# %% next_word
begun = torch.tensor([[WORDS.index("猫"), WORDS.index("が")]])
guesses = torch.cat([model(begun)[:, -1].softmax(dim=-1) for model in (honest, leaky)])
title = message("next_word_title")
heatmap(guesses, rows, WORDS, title=title)
