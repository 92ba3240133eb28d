"""Pictures and experiments made from what the learner has written: `qkv` and its like are theirs."""

# ruff: noqa: F821, T201

import math

import matplotlib.pyplot as plt
import torch
from torch import nn

from autograder.learn.heatmap import heatmap
from autograder.learn.picture import picture

# %% one_matrix_two_sentences
torch.manual_seed(2)
tokens = message("tokens").split(" / ")
cat, ga, sleeps, dog = torch.randn(4, 8)  # a vector of 8 numbers for each word
x = torch.stack([cat, ga, sleeps])
batch = torch.stack([x, torch.stack([dog, ga, sleeps])])  # (2, 3, 8): two sentences
projected = project(batch, torch.randn(8, 4))  # (2, 3, 4)
rows = [f"{sentence}: {token}" for sentence in (1, 2) for token in tokens]
rows[3] = "2: " + message("dog")
columns = [message("number") + f" {column}" for column in range(4)]
title = message("two_sentences_title")
heatmap(projected.flatten(0, 1), rows, columns, title=title)

# %% tokens_get_mixed
square = torch.randn(3, 3)
three_by_three = torch.randn(3, 3)  # three tokens of width 3: both orders fit
with_other_ga = three_by_three.clone()
with_other_ga[1] += 1.0  # only が changes
moved = [
    project(with_other_ga, square) - project(three_by_three, square),
    square @ with_other_ga - square @ three_by_three,
]
title = message("mixed_title")
heatmap(torch.stack(moved).abs().amax(dim=-1), ["project(x, W)", "W @ x"], tokens, title=title)

# %% who_asks_whom
names = {"row_name": message("asks"), "column_name": message("is_asked")}
for_queries, for_keys = torch.randn(2, 8, 5) / 3
for_values = torch.randn(8, 3) / 3
queries, keys, values = qkv(x, for_queries, for_keys, for_values)
title = message("interest_title")
heatmap(queries @ keys.T, tokens, tokens, title=title, **names)

# %% from_another_sentence
written = message("translation").split(" / ")  # what the translator has written so far
written_x = torch.randn(2, 8)
asking, _, _ = qkv(written_x, for_queries, for_keys, for_values)
_, found_by, handed_on = qkv(x, for_queries, for_keys, for_values)
title = message("cross_title")
heatmap(asking @ found_by.T, written, tokens, title=title, **names)

# %% one_matrix_for_both
queries, keys, values = qkv(x, for_queries, for_queries, for_values)
title = message("symmetric_title")
heatmap(queries @ keys.T, tokens, tokens, title=title, **names)

# %% learning_with_one_matrix
torch.manual_seed(2)
six_words = torch.randn(6, 8)
next_one = torch.tensor([1, 2, 3, 4, 5, 0])  # whom each of the six is to find


def training(shared):
    """The loss at each step, with one matrix for queries and keys, or with two."""
    torch.manual_seed(3)
    matrices = [(torch.randn(8, 5) / 6).requires_grad_() for _ in range(1 if shared else 2)]
    optimizer = torch.optim.Adam(matrices, lr=0.03)
    losses = []
    for _ in range(300):
        asked, answered, _ = qkv(six_words, matrices[0], matrices[-1], for_values)
        loss = nn.functional.cross_entropy(asked @ answered.T, next_one)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


figure, axes = plt.subplots(figsize=(6.5, 3.5))
axes.plot(training(shared=True), "--", label=message("shared"))
axes.plot(training(shared=False), label=message("separate"))
axes.axhline(math.log(6), color="k", linestyle=":", label=message("guessing"))
axes.set(xlabel=message("training_step"), ylabel=message("loss"), ylim=(0, 2.5))
axes.legend(loc="right", bbox_to_anchor=(1, 0.4))
picture(figure, message("shared_alt"))

# %% turned_together
turn, _ = torch.linalg.qr(torch.randn(5, 5))  # keeps every length and every angle
queries, keys, _ = qkv(x, for_queries, for_keys, for_values)
turned_queries, turned_keys, _ = qkv(x, for_queries @ turn, for_keys @ turn, for_values)
change = (turned_queries @ turned_keys.T - queries @ keys.T).abs().max()
print(message("scores_change"), f"{change:.5f}")
columns = [message("number") + f" {column}" for column in range(5)]
rows = [message("before"), message("after")]
title = message("turned_title")
heatmap(torch.stack([queries[0], turned_queries[0]]), rows, columns, title=title)

# %% two_orientations
linear = nn.Linear(4, 2)
print("linear.weight       ", tuple(linear.weight.shape))
print("matrix_of(linear)   ", tuple(matrix_of(linear).shape))
rows = [message("input") + f" {number}" for number in range(4)]
columns = [message("output") + f" {number}" for number in range(2)]
title = message("orientation_title")
heatmap(matrix_of(linear), rows, columns, title=title)

# %% no_error_where_sizes_agree
for d_in, d_out in ((3, 3), (4, 2)):
    linear = nn.Linear(d_in, d_out, bias=False)
    some_x = torch.randn(5, d_in)
    print(f"nn.Linear({d_in}, {d_out})")
    candidates = {"matrix_of(linear)": matrix_of(linear), "linear.weight": linear.weight}
    for name, matrix in candidates.items():
        try:
            gap = (project(some_x, matrix) - linear(some_x)).abs().max()
            print(f"  {name:18}", message("off_by"), f"{gap:.2f}")
        except (RuntimeError, ValueError, IndexError) as error:
            print(f"  {name:18}", f"{type(error).__name__}: {error}")

# %% layer_and_functions
layer = QKVProjection(8, 5, 3)
for name, weight in layer.state_dict().items():
    print(name, tuple(weight.shape))
matrices = [matrix_of(linear) for linear in (layer.W_Q, layer.W_K, layer.W_V)]
pairs = zip(layer(x), qkv(x, *matrices), strict=True)
gaps = [(one - other).abs().max().item() for one, other in pairs]
title = message("layer_title")
heatmap([gaps], [message("largest_gap")], ["Q", "K", "V"], title=title)

# %% layers_in_a_list


class Forgetful(nn.Module):
    """Keeps its layers where PyTorch does not look."""

    def __init__(self):
        super().__init__()
        self.layers = [nn.Linear(8, 5), nn.Linear(8, 3)]


for module in (QKVProjection(8, 5, 3), Forgetful()):
    numbers = sum(parameter.numel() for parameter in module.parameters())
    print(f"{type(module).__name__:14}", message("trained_numbers"), numbers)

# %% inside_mha
mha = nn.MultiheadAttention(8, num_heads=1, bias=False)
for name, weight in mha.named_parameters():
    print(f"{name:16}", tuple(weight.shape))

# %% order_is_invisible
order = [2, 0, 1]
columns = [tokens[place] for place in order]


def differences(one, other):
    """How far each token's Q, K and V in the shuffled sentence are from what they were."""
    pairs = zip(qkv(one, *matrices), qkv(other, *matrices), strict=True)
    return torch.stack([(new - old[order]).abs().amax(dim=-1) for new, old in pairs])


title = message("order_title")
heatmap(differences(x[order], x), ["Q", "K", "V"], columns, title=title)

# %% clock_hands
hands = sinusoidal_positions(40, 16)
figure, axes = plt.subplots(figsize=(6.5, 3.5))
for column, style in ((0, ".-"), (2, "--"), (4, "-."), (8, ":")):
    axes.plot(hands[:, column], style, label=message("column") + f" {column}")
axes.set(xlabel=message("position"), ylabel=message("value"))
axes.legend(loc="upper left", bbox_to_anchor=(1, 1))
picture(figure, message("clock_alt"))

# %% position_map
figure, axes = plt.subplots(figsize=(6.5, 4))
shown = axes.imshow(sinusoidal_positions(64, 32), cmap="RdBu", aspect="auto")
axes.set(xlabel=message("column"), ylabel=message("position"))
figure.colorbar(shown, label=message("value"))
picture(figure, message("map_alt"))

# %% near_and_far
table = sinusoidal_positions(64, 32)
figure, axes = plt.subplots(figsize=(6.5, 3))
for place, style in ((20, "-"), (40, "--")):
    axes.plot(table @ table[place], style, label=message("seen_from") + f" {place}")
axes.set(xlabel=message("position"), ylabel=message("dot_product"))
axes.legend(loc="upper left", bbox_to_anchor=(1, 1))
picture(figure, message("near_alt"))

# %% restarted
whole = sinusoidal_positions(6, 8)
with_start = torch.cat([sinusoidal_positions(1, 8, start=place) for place in range(6)])
without_start = torch.cat([sinusoidal_positions(1, 8) for _ in range(6)])
gaps = torch.stack([with_start - whole, without_start - whole]).abs().amax(dim=-1)
columns = [message("position") + f" {place}" for place in range(6)]
title = message("restarted_title")
heatmap(gaps, [message("with_start"), message("without_start")], columns, title=title)

# %% order_is_visible
places = sinusoidal_positions(3, 8)
columns = [tokens[place] for place in order]
title = message("visible_title")
heatmap(differences(x[order] + places, x + places), ["Q", "K", "V"], columns, title=title)
