"""Pictures and experiments made from what the learner has written: `split_heads` and its like are theirs."""

# ruff: noqa: F821, T201

import matplotlib.pyplot as plt
import torch

from autograder.learn.heatmap import heatmap
from autograder.learn.picture import picture

# %% pieces_of_tokens
tokens = message("three_tokens").split(" / ")
# Every feature holds the number of its token: (1, 3, 4).
owner = torch.arange(1, 4)[:, None].expand(3, 4)[None]
yours = split_heads(owner, 2)[0]  # (2, 3, 2)
cut_to_shape = owner.reshape(1, 2, 3, 2)[0]  # (2, 3, 2) as well
rows = [message("head") + f" {head}, {token}" for head in range(2) for token in tokens]
columns = [message("yours")] * 2 + [message("cut_to_shape")] * 2
title = message("pieces_title")
heatmap(torch.cat([yours, cut_to_shape], dim=-1).reshape(6, 4), rows, columns, title=title)

# %% merged_tokens
# Every number is that of its head: (1, 2, 3, 2).
numbered = torch.arange(2)[:, None, None].expand(2, 3, 2)[None]
columns = [message("feature") + f" {number}" for number in range(4)]
title = message("merged_title")
heatmap(merge_heads(numbered)[0], tokens, columns, title=title)

# %% round_trip
x = torch.arange(12).reshape(1, 3, 4)
cut_and_cut_back = x.reshape(1, 2, 3, 2).reshape(1, 3, 4)
print(message("round_trip"), torch.equal(cut_and_cut_back, x))

# %% two_heads
sentence = message("seven_tokens")
words = sentence.split(" / ")
short = [word.split(" ")[0] for word in words]
names = {"row_name": message("looks"), "column_name": message("is_looked_at")}
noun, particle, verb, pronoun = range(4)
kinds = [noun, particle, noun, particle, verb, pronoun, particle]
places = torch.eye(7)
# Where a word stands, and what kind of word it is: (1, 7, 14).
x = torch.cat([places, places[kinds]], dim=-1)[None]
previous_place = places.roll(-1, dims=1)  # place i asks for place i - 1
previous_place[0] = places[0]
wanted_kind = torch.zeros(7, 7)
for asks, wants in [(noun, noun), (particle, noun), (verb, particle), (pronoun, noun)]:
    wanted_kind[asks, wants] = 1.0
W_Q = 12 * torch.block_diag(previous_place, wanted_kind)  # head 0 asks by place, head 1 by kind
W_K = W_V = W_O = torch.eye(14)
_, two_maps = multi_head_attention(x, W_Q, W_K, W_V, W_O, 2)
title = message("head_0_title")
heatmap(two_maps[0, 0], words, short, title=title, **names)

# %% second_head
title = message("head_1_title")
heatmap(two_maps[0, 1], words, short, title=title, **names)

# %% one_head
_, single = multi_head_attention(x, W_Q, W_K, W_V, W_O, 1)
title = message("one_head_title")
heatmap(single[0, 0], words, short, title=title, **names)

# %% average_of_heads
title = message("average_title")
heatmap(two_maps[0].mean(dim=0), words, short, title=title, **names)

# %% mask_on_heads
torch.manual_seed(5)
padded = torch.zeros(3, 1, 4, dtype=torch.bool)  # (B, 1, n_k): three sentences
padded[0, :, 3] = True  # only sentence 0 ends with padding
x, matrices = torch.randn(3, 4, 6), [torch.randn(6, 6) / 2 for _ in range(4)]
on_last_token = []
for mask in (padded[:, None], padded):
    _, weights = multi_head_attention(x, *matrices, 3, mask=mask)
    on_last_token.append(weights[..., 3].mean(dim=-1))  # (B, H): what the last token gets
sentence = message("sentence")
passed = ["mask[:, None]", "mask"]
rows = [f"{how}, {sentence} {number}" for how in passed for number in range(3)]
columns = [message("head") + f" {number}" for number in range(3)]
title = message("mask_title")
heatmap(torch.cat(on_last_token), rows, columns, title=title)

# %% who_reaches_whom
torch.manual_seed(6)
x = torch.randn(3, 4, 6)
W_Q, W_K, W_V, mixing = (torch.randn(6, 6) / 2 for _ in range(4))
reached = []
for W_O in (torch.eye(6), mixing):
    before, _ = multi_head_attention(x, W_Q, W_K, W_V, W_O, 3)
    changed = []
    for head in range(3):
        other_values = W_V.clone()
        other_values[:, 2 * head : 2 * head + 2] += 1.0
        after, _ = multi_head_attention(x, W_Q, W_K, other_values, W_O, 3)
        changed.append((after - before).abs().amax(dim=(0, 1)).reshape(3, 2).amax(dim=-1))
    reached.append(torch.stack(changed))
change = message("change_head")
kinds_of_mixing = (message("no_mixing"), message("mixing"))
rows = [f"{mixed}, {change} {head}" for mixed in kinds_of_mixing for head in range(3)]
columns = [message("features") + f" {block}" for block in ("0-1", "2-3", "4-5")]
title = message("reached_title")
heatmap(torch.cat(reached), rows, columns, title=title)

# %% how_many_heads
torch.manual_seed(0)
vocabulary, marks = torch.randn(12, 16), torch.randn(9, 16)


def sentences(count):
    words = torch.randint(0, 12, (count, 9))
    # A word and its place: (count, 9, 32).
    x = torch.cat([vocabulary[words], marks.expand(count, 9, 16)], dim=-1)
    # What is asked for: something of the word 1, 2 and 3 places back.
    part = vocabulary[words][..., :4]
    return x, torch.cat([part.roll(back, dims=1) for back in (1, 2, 3)], dim=-1)


def error(layer, x, wanted):
    return (layer(x)[0][..., :12] - wanted).square().mean()


def trained(num_heads):
    torch.manual_seed(1)
    layer = MultiHeadAttention(32, num_heads)
    optimizer = torch.optim.Adam(layer.parameters(), lr=0.01)
    for _ in range(150):
        optimizer.zero_grad()
        error(layer, *sentences(24)).backward()
        optimizer.step()
    return layer


layers = {num_heads: trained(num_heads) for num_heads in (1, 2, 4, 8, 16, 32)}
torch.manual_seed(2)
test = sentences(256)
errors = [error(layer, *test).item() for layer in layers.values()]
figure, axes = plt.subplots(figsize=(6.5, 3.2))
axes.loglog(list(layers), errors, "o-")
axes.set_xticks(list(layers), [f"{num_heads}\n{32 // num_heads}" for num_heads in layers])
axes.minorticks_off()
axes.set_xlabel(message("heads_and_width"))
axes.set_ylabel(message("error"))
axes.grid()
picture(figure, message("how_many_alt"))

# %% without_each_head
layer = layers[8]


def without(heads):
    """The error of the layer when what these heads hand on is set to zero."""
    numbers = layer.W_O.weight.data  # what W_O reads of head h stands in the columns from 4 * h on
    kept = numbers.clone()
    for head in heads:
        numbers[:, 4 * head : 4 * head + 4] = 0.0
    damaged = error(layer, *test).item()
    numbers.copy_(kept)
    return damaged


removed = [without([head]) for head in range(8)]
figure, axes = plt.subplots(figsize=(6.5, 3.2))
axes.bar(range(8), removed)
axes.axhline(without([]), linestyle="--", color="#ff7f0e", label=message("all_heads"))
axes.set(xlabel=message("removed_head"), ylabel=message("error"))
axes.legend()
picture(figure, message("removed_alt"))

# %% where_heads_look
_, weights = layer(test[0])
per_distance = [weights.diagonal(-back, 2, 3).mean(dim=(0, 2)) for back in range(4)]
looks = torch.stack(per_distance, dim=1).detach()  # (8, 4): heads, and how far back they look
rows = [message("head") + f" {head}" for head in range(8)]
columns = [message("itself"), *(message("back") + f" {back}" for back in (1, 2, 3))]
title = message("looks_title")
heatmap(looks, rows, columns, title=title)

# %% several_at_once
order = sorted(range(8), key=lambda head: removed[head])
counts = list(range(8))
figure, axes = plt.subplots(figsize=(6.5, 3.2))
least_first = [without(order[:count]) for count in counts]
most_first = [without(order[::-1][:count]) for count in counts]
axes.plot(counts, least_first, "o-", label=message("least_first"))
axes.plot(counts, most_first, "s--", label=message("most_first"))
axes.set(xlabel=message("removed_heads"), ylabel=message("error"))
axes.legend()
picture(figure, message("several_alt"))

# %% same_as_pytorch
torch.manual_seed(7)
theirs, mine = nn.MultiheadAttention(12, 3, batch_first=True), MultiHeadAttention(12, 3, bias=True)
x = torch.randn(2, 5, 12)


def largest_differences():
    copy_weights(mine, theirs)
    output, weights = mine(x)
    their_output, averaged = theirs(x, x, x)
    _, per_head = theirs(x, x, x, average_attn_weights=False)
    pairs = [(output, their_output), (weights, per_head), (weights.mean(dim=1), averaged)]
    return [(one - other).abs().max().item() for one, other in pairs]


as_built = largest_differences()
theirs.in_proj_bias.data.normal_()
theirs.out_proj.bias.data.normal_()
with_biases = largest_differences()
print(message("largest_difference"), f"{max(as_built + with_biases):.1e}")
rows = [message("zero_biases"), message("random_biases")]
columns = [message("output"), message("weights_per_head"), message("averaged_weights")]
title = message("same_title")
agree = [[gap < 1e-6 for gap in gaps] for gaps in (as_built, with_biases)]
heatmap(agree, rows, columns, title=title)

# %% biases_forgotten
gaps = []
for layer in (nn.MultiheadAttention(12, 3, batch_first=True), theirs):
    copy_weights(mine, layer)
    for linear in (mine.W_Q, mine.W_K, mine.W_V, mine.W_O):
        linear.bias.data.zero_()  # as if nobody had copied it
    output, weights = mine(x)
    their_output, averaged = layer(x, x, x)
    pairs = [(output, their_output), (weights.mean(dim=1), averaged)]
    gaps.append([(one - other).abs().max().item() for one, other in pairs])
copy_weights(mine, theirs)
rows = [message("zero_biases"), message("random_biases")]
columns = [message("output"), message("averaged_weights")]
title = message("forgotten_title")
heatmap(gaps, rows, columns, title=title)

# %% shapes_of_weights
print("MultiHeadAttention:     ", tuple(mine(x)[1].shape))
print("nn.MultiheadAttention:  ", tuple(theirs(x, x, x)[1].shape))

# %% batch_first
changed_x = x.clone()
changed_x[1] = torch.randn(5, 12)
moved = []
for first in (True, False):
    layer = nn.MultiheadAttention(12, 3, batch_first=first)
    before, _ = layer(x, x, x)
    after, _ = layer(changed_x, changed_x, changed_x)
    moved.append((after - before).detach().abs().amax(dim=(1, 2)))
rows = ["batch_first=True", "batch_first=False"]
columns = [message("sentence") + f" {number}" for number in range(2)]
title = message("batch_first_title")
heatmap(torch.stack(moved), rows, columns, title=title)
