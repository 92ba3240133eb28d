"""Pictures and experiments made from what the learner has written: `attention` and its like are theirs."""

# ruff: noqa: F821, T201

import matplotlib.pyplot as plt
import torch

from autograder.learn.heatmap import heatmap
from autograder.learn.picture import picture

# %% slope_of_softmax
lead = torch.linspace(-15, 15, 121, requires_grad=True)
two_scores = torch.stack([lead, torch.zeros(121)], dim=-1)  # 121 pairs of scores: (lead, 0)
weight = softmax(two_scores)[:, 0]
(slope,) = torch.autograd.grad(weight.sum(), lead)
figure, axes = plt.subplots(figsize=(6.5, 3.2))
axes.plot(lead.detach(), weight.detach(), label=message("weight"))
axes.plot(lead.detach(), slope, "--", label=message("slope"))
axes.set(xlabel=message("lead"), ylabel=message("weight_and_slope"))
axes.legend()
picture(figure, message("slope_alt"))

# %% shifted_scores
shifts = [0.0, 50.0, 1000.0, -1000.0]
scores = torch.tensor([[2.0, 1.0, 0.0]])
shifted = torch.cat([scores + shift for shift in shifts])
by_formula = shifted.exp() / shifted.exp().sum(dim=-1, keepdim=True)
both = torch.cat([softmax(shifted), by_formula], dim=-1)
yours, formula = message("yours"), message("formula")
columns = [f"{name} {key}" for name in (yours, formula) for key in range(3)]
title = message("shifted_title")
heatmap(both, [f"{shift:+g}" for shift in shifts], columns, title=title)

# %% spread_of_scores
torch.manual_seed(3)
figure, panels = plt.subplots(1, 2, figsize=(8, 3.2), sharey=True)
for d_k in (4, 256):
    divided = attention_scores(torch.randn(100, d_k), torch.randn(100, d_k))
    for axes, scores in zip(panels, (divided * d_k**0.5, divided), strict=True):
        style = {"histtype": "step", "linewidth": 2, "label": f"d_k = {d_k}"}
        percent = torch.full((10_000,), 0.01)  # what each of 10,000 scores counts
        axes.hist(scores.flatten(), bins=40, weights=percent, **style)
for axes, title in zip(panels, (message("not_divided"), message("divided")), strict=True):
    axes.set(title=title, xlabel=message("score"), xlim=(-50, 50))
panels[0].set_ylabel(message("share_of_pairs"))
panels[0].legend()
picture(figure, message("spread_alt"))

# %% lost_gradient
widths = [4, 8, 16, 32, 64, 128, 256, 512, 1024]
curves = {message("divided"): [], message("not_divided"): []}
for d_k in widths:
    queries, keys = torch.randn(400, d_k), torch.randn(10, d_k)
    divided = attention_scores(queries.double(), keys.double())
    for curve, scores in zip(curves.values(), (divided, divided * d_k**0.5), strict=True):
        scores.requires_grad_()
        largest = softmax(scores).amax(dim=-1)  # of each query the largest of ten weights
        (gradient,) = torch.autograd.grad(largest.sum(), scores)
        curve.append(gradient.abs().amax(dim=-1).median().item())
figure, axes = plt.subplots(figsize=(6.5, 3.4))
for (label, curve), style in zip(curves.items(), ("o-", "s--"), strict=True):
    axes.loglog(widths, curve, style, label=label)
axes.set(xlabel=message("width"), ylabel=message("gradient"))
axes.legend()
picture(figure, message("lost_gradient_alt"))

# %% english_looks_at_japanese
english = message("english").split(" / ")
japanese = message("japanese").split(" / ")
names = {"row_name": message("looks"), "column_name": message("is_looked_at")}
# Four numbers a word: animal, action, grammar, going on now.
the, cat = [1.0, 0.0, 2.0, 0.0], [6.0, 0.0, 0.0, 0.0]
is_, sleeping = [0.0, 1.0, 1.0, 3.0], [0.0, 6.0, 0.0, 1.0]
Q = torch.tensor([the, cat, is_, sleeping])
K = torch.tensor([[1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 1.0, 0.0, 1.0]])
V = torch.tensor([[5.0, 1.0], [0.1, 0.2], [-1.0, 4.0]])
_, weights = attention(Q, K, V)
title = message("cross_title")
heatmap(weights, english, japanese, title=title, **names)

# %% sums
for sums, axis in ((message("row_sums"), 1), (message("column_sums"), 0)):
    print(sums, [round(total, 2) for total in weights.sum(dim=axis).tolist()])

# %% weight_and_value
asking = torch.tensor([[2.0, 0.0, 0.0, 0.0]])
keys = torch.zeros(3, 4)
keys[:, 0] = torch.tensor([0.2, 0.7, 0.1]).log()  # so that these will be the weights
_, weights = attention(asking, keys, V)
lengths = V.norm(dim=1)
table = torch.stack([weights[0], lengths, weights[0] * lengths])
rows = [message("weight"), message("length_of_value"), message("handed_over")]
title = message("weight_and_value_title")
heatmap(table, rows, japanese, title=title)

# %% two_maps
equal_values = torch.stack([V[0], V[1], V[0]])  # the last is like the first
rows_of_table = []
for shares in ([0.8, 0.1, 0.1], [0.1, 0.1, 0.8]):
    keys[:, 0] = torch.tensor(shares).log()
    output, weights = attention(asking, keys, equal_values)
    rows_of_table.append(torch.cat([weights[0], output[0]]))
columns = [*japanese, message("output_1"), message("output_2")]
title = message("two_maps_title")
heatmap(torch.stack(rows_of_table), [message("map_1"), message("map_2")], columns, title=title)

# %% who_bites
torch.manual_seed(205)
dog_bites_man = message("dog_bites_man").split(" / ")
man_bites_dog = message("man_bites_dog").split(" / ")
vectors = {word: torch.randn(4) for word in dog_bites_man}  # one for each word
places = torch.randn(5, 4)  # one for each place


def without_positions(x):
    return attention(x, x, x)[0]


def with_positions(x):
    return without_positions(x + places)


rows, of_the_verb = [], []
for look, name in ((without_positions, message("without")), (with_positions, message("with"))):
    for sentence in (dog_bites_man, man_bites_dog):
        x = torch.stack([vectors[word] for word in sentence])[None]  # (1, 5, 4)
        of_the_verb.append(look(x)[0, -1])
        rows.append(" ".join(word.split(" ")[0] for word in sentence) + f" ({name})")
columns = [message("output_number") + f" {number}" for number in (1, 2, 3, 4)]
title = message("who_bites_title")
heatmap(torch.stack(of_the_verb), rows, columns, title=title)


# %% order_gaps
def looking_back_only(x):
    """Each token looks at itself and at what came before it."""
    outputs = []
    for n in range(1, x.shape[1] + 1):
        newest, seen = x[:, n - 1 : n], x[:, :n]
        outputs.append(attention(newest, seen, seen)[0])
    return torch.cat(outputs, dim=1)


order = torch.tensor([2, 1, 0, 3, 4])
functions = {message("without"): without_positions, message("with"): with_positions}
functions[message("looking_back_only")] = looking_back_only
gaps = [order_gap(function, x, order) for function in functions.values()]
title = message("order_gaps_title")
heatmap(gaps, list(functions), [message("gap")], title=title)
