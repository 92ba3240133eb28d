# ---
# jupyter:
#   attn:
#     assignment: 05_multi_head
#     version: 1
#     language: en
#   kernelspec:
#     display_name: Python 3 (ipykernel)
#     language: python
#     name: python3
# ---

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-opening", "locked": true, "schema_version": 3, "solution": false, "task": false}
# # How can one word look at two things at once?
#
# 猫が魚を見た。それは逃げた。 (*Neko ga sakana o mita. Sore wa nigeta.* "The cat saw a fish. It ran away.") When you reach
# それ, "it", you do two things at the same time. You keep track of the words just before it, and you search further back
# for something that it could stand for: the cat, or the fish? In attention as you know it, each word has one set of
# weights, and they sum to 1. **If it gives half of its attention to the neighbours and half to the nouns, it gets a bit of
# everything, stirred into one vector. How can it ask two questions and keep the answers apart?**
#
# After this lesson you can
#
# * cut the features of every token into heads, and put them together again, without ever mixing tokens up;
# * say what a head sees, what W_O is for, and why more heads are not simply better;
# * remove heads one at a time and tell which of them do the work;
# * reproduce PyTorch's `nn.MultiheadAttention` with its own numbers, to a millionth.
#
# You need the attention of lesson 03, the masks of lesson 04, and from lesson 02 how an `nn.Linear` keeps its matrix.
#
# Run the cells from the top. Each answer cell says what is wanted; replace the line that raises an error, run the cell,
# then run the check below it. When you come back another day, run everything from the top again.

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "lesson-setup", "locked": true, "schema_version": 3, "solution": false, "task": false}
import math
import matplotlib.pyplot as plt
import torch
from torch import Tensor, nn
from autograder.learn import lesson
from autograder.learn.heatmap import heatmap
from autograder.learn.picture import picture

check, ask = lesson("05_multi_head", language="en")

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-opening-2", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ## 1. Cutting tokens into heads
#
# The idea is plain. A token has `d_model` features after the projection. Deal them out to `H` heads, the first `d_k` to
# head 0, the next `d_k` to head 1, and so on, with `d_k = d_model / H`. Every head then holds *a piece of every token*, and
# attends with its piece (makes weights, mixes values) as if the others did not exist.
#
# The heads get an axis of their own, in front of the tokens: `(B, T, d_model)` becomes `(B, H, T, d_k)`. Attention works on
# the last two axes, and whatever stands in front of them is repeated. That is all the parallel work there is: no loop.
#
# **Predict.** The next cell asks you about two numbers when you run it. Put your prediction in place of `...`. Once your
# function is written, run the cell again, and it compares the two.

# %%
ask("which_piece", answer=...)

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "split_heads", "locked": false, "schema_version": 3, "solution": true, "task": false}
def split_heads(x: Tensor, num_heads: int) -> Tensor:
    """Cuts the features of every token into heads.

    x (B, T, d_model), num_heads -> (B, num_heads, T, d_k), where d_k = d_model / num_heads.
    Head 0 gets the first d_k features of every token, head 1 the next d_k, and so on.
    ValueError where num_heads is less than 1 or does not divide d_model.

    split_heads(torch.tensor([[[1., 2., 3., 4.], [5., 6., 7., 8.]]]), 2)
    -> [[[[1., 2.], [5., 6.]], [[3., 4.], [7., 8.]]]]
    """
    raise NotImplementedError

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "check-split_heads", "locked": true, "points": 3.0, "schema_version": 3, "solution": false, "task": false}
check(split_heads)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-check-split_heads", "locked": true, "schema_version": 3, "solution": false, "task": false}
# > **The right shape is not the right cut.** `reshape` and `view` never look at what the axes mean. They read
# > the numbers row by row, in the order of the axes, and break the lines elsewhere. Asked for `(B, H, T, d_k)`, they deliver exactly
# > that shape, filled with pieces of different tokens. Whole libraries have carried this mistake for years: the model still
# > trains, it is just worse.
#
# **Look, and break it.** In the table every feature of a token holds the number of that token. On the left is your
# function, on the right a tensor that was merely cut to the shape. Read the row "head 0, が" on both sides. Whose numbers
# does the head get?

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-pieces_of_tokens", "locked": true, "schema_version": 3, "solution": false, "task": false}
tokens = "猫 (cat) / が (subject) / 寝る (sleeps)".split(" / ")
# Every feature holds the number of its token: (1, 3, 4).
owner = torch.arange(1, 4)[:, None].expand(3, 4)[None]
yours = split_heads(owner, 2)[0]  # (2, 3, 2)
cut_to_shape = owner.reshape(1, 2, 3, 2)[0]  # (2, 3, 2) as well
rows = ["head" + f" {head}, {token}" for head in range(2) for token in tokens]
columns = ["your function"] * 2 + ["cut to shape"] * 2
title = "Whose numbers does each head hold? (1 = 猫, 2 = が, 3 = 寝る)"
heatmap(torch.cat([yours, cut_to_shape], dim=-1).reshape(6, 4), rows, columns, title=title)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-pieces_of_tokens", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ## 2. Side by side again
#
# After the heads have done their work, each token's pieces are put side by side in one row: first those of head 0, then
# those of head 1.
#
# **Predict.** Two heads, two tokens, one feature each. What does the second token look like when its pieces are merged?

# %%
ask("merged_token", answer=...)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-ask-merged_token", "locked": true, "schema_version": 3, "solution": false, "task": false}
# **Predict.** PyTorch has its own opinion on one of the steps, and nearly everybody meets it here. So, before you do:

# %%
ask("view_error", answer=...)

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "merge_heads", "locked": false, "schema_version": 3, "solution": true, "task": false}
def merge_heads(x: Tensor) -> Tensor:
    """Puts the heads' pieces of every token side by side again.

    x (B, H, T, d_k) -> (B, T, H * d_k).
    The first d_k features of a token are those of head 0, the next those of head 1, and so on.

    merge_heads(torch.tensor([[[[1., 2.], [5., 6.]], [[3., 4.], [7., 8.]]]]))
    -> [[[1., 2., 3., 4.], [5., 6., 7., 8.]]]
    """
    raise NotImplementedError

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "check-merge_heads", "locked": true, "points": 3.0, "schema_version": 3, "solution": false, "task": false}
check(merge_heads)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-check-merge_heads", "locked": true, "schema_version": 3, "solution": false, "task": false}
# **Look.** Now the numbers tell the head that a feature comes from. Every row should read the same: it is a token, and all
# heads have a part in it.

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-merged_tokens", "locked": true, "schema_version": 3, "solution": false, "task": false}
# Every number is that of its head: (1, 2, 3, 2).
numbered = torch.arange(2)[:, None, None].expand(2, 3, 2)[None]
columns = ["feature" + f" {number}" for number in range(4)]
title = "Your merged tokens: the number is the head that a feature comes from"
heatmap(merge_heads(numbered)[0], tokens, columns, title=title)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-merged_tokens", "locked": true, "schema_version": 3, "solution": false, "task": false}
# **Break it.** A natural test suggests itself: split, merge, and see whether x comes back. Here is that test for the wrong
# cut from above, merged in an equally wrong way. Do you expect `True` or `False`?

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-round_trip", "locked": true, "schema_version": 3, "solution": false, "task": false}
x = torch.arange(12).reshape(1, 3, 4)
cut_and_cut_back = x.reshape(1, 2, 3, 2).reshape(1, 3, 4)
print("cut to shape and cut back, x comes back:", torch.equal(cut_and_cut_back, x))

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-round_trip", "locked": true, "schema_version": 3, "solution": false, "task": false}
# > **A round trip proves little.** Two mistakes that undo each other pass it. A better test changes *one token* and looks
# > where something moves: exactly one row of each head may.

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-round_trip-2", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ## 3. Every head attends by itself
#
# Now the whole: project the tokens, split queries, keys and values, let every head attend, merge, and multiply by W_O. Three
# things to settle before you write, and two of them are for you to predict.
#
# **Predict: the scale.** Scores are divided by a square root, so that they do not grow with the number of products that are
# added up.

# %%
ask("divisor", answer=...)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-ask-divisor", "locked": true, "schema_version": 3, "solution": false, "task": false}
# **Predict: the mask.** As always in this course, `True` hides, as in `nn.MultiheadAttention`; in PyTorch's
# `F.scaled_dot_product_attention` a `True` means the opposite. The scores now have four axes, `(B, H, T, T)`, and your
# function takes any mask that fits them by PyTorch's rule: axes are compared **from the right**, and missing ones are added
# on the left. A padding mask of lesson 04 has the shape `(B, 1, n_k)`. Think before you run the cell:

# %%
ask("mask_axis", answer=...)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-ask-mask_axis", "locked": true, "schema_version": 3, "solution": false, "task": false}
# **The empty row.** A token that may look at nothing gets weights and output 0, in every head, and no NaN, in the gradients
# either. You wrote a softmax that survives this in lesson 04; you may take it along into the answer cell, or write those
# few lines again with `torch.softmax`.

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "multi_head_attention", "locked": false, "schema_version": 3, "solution": true, "task": false}
def multi_head_attention(
    x: Tensor,
    W_Q: Tensor,
    W_K: Tensor,
    W_V: Tensor,
    W_O: Tensor,
    num_heads: int,
    mask: Tensor | None = None,
) -> tuple[Tensor, Tensor]:
    """Multi-head self-attention: every head attends by itself, and W_O combines the heads.

    x (B, T, d_model), W_Q, W_K, W_V, W_O all (d_model, d_model), as in x @ W_Q
    -> (output (B, T, d_model), weights (B, H, T, T)).
    mask is bool and True hides; it is broadcast against (B, H, T, T).
    Hidden keys have weight exactly 0. A token that sees nothing gets weights and output 0.
    ValueError where num_heads is less than 1 or does not divide d_model.
    """
    raise NotImplementedError

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "check-multi_head_attention", "locked": true, "points": 6.0, "schema_version": 3, "solution": false, "task": false}
check(multi_head_attention)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-check-multi_head_attention", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ### Two questions at once
#
# **Look.** Here is a sentence in which both questions are asked. The features of each token say where it stands and what kind of word
# it is; head 0 compares places, head 1 compares kinds. Nothing was trained, the matrices are written by hand. Find the row
# それ in both tables.

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-two_heads", "locked": true, "schema_version": 3, "solution": false, "task": false}
sentence = "猫 (cat) / が (subject) / 魚 (fish) / を (object) / 見た (saw) / それ (it) / は (topic)"
words = sentence.split(" / ")
short = [word.split(" ")[0] for word in words]
names = {"row_name": "looks (query)", "column_name": "is looked at (key)"}
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
title = "Weights of head 0, which compares places"
heatmap(two_maps[0, 0], words, short, title=title, **names)

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-second_head", "locked": true, "schema_version": 3, "solution": false, "task": false}
title = "Weights of head 1, which compares kinds of words"
heatmap(two_maps[0, 1], words, short, title=title, **names)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-second_head", "locked": true, "schema_version": 3, "solution": false, "task": false}
# Each of the two tables could be described in a few words.
#
# **Break it, first way.** Now the same tokens and the same matrices, but one single head of double width. Before you run it: which words will それ look at, and can it still have the word before it *and* the
# nouns?

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-one_head", "locked": true, "schema_version": 3, "solution": false, "task": false}
_, single = multi_head_attention(x, W_Q, W_K, W_V, W_O, 1)
title = "The same matrices with one head: both comparisons share one softmax"
heatmap(single[0, 0], words, short, title=title, **names)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-one_head", "locked": true, "schema_version": 3, "solution": false, "task": false}
# With one head the two kinds of scores are added up before the softmax, and both questions have to share weights that sum
# to 1. With two heads each has its own softmax, its own 1 to give away. That is the gain.
#
# > **Heads are subspaces, not little models.** A head sees the features that its columns of W_Q, W_K and W_V compute, and
# > those columns read *all* features of the token. Nobody tells a head what to look for; training does, and often there is
# > no word for it.
#
# ### What W_O is for
#
# Merged, the heads' results stand side by side, and no number of head 0 has ever met one of head 1.
#
# **Break it, second way.** We change the values of one head at a time and measure which features of the output move. In the upper half W_O does nothing at all (it is
# the identity), in the lower half it is an ordinary matrix.

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-who_reaches_whom", "locked": true, "schema_version": 3, "solution": false, "task": false}
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
change = "values changed in head"
kinds_of_mixing = ("without W_O", "with W_O")
rows = [f"{mixed}, {change} {head}" for mixed in kinds_of_mixing for head in range(3)]
columns = ["features" + f" {block}" for block in ("0-1", "2-3", "4-5")]
title = "How far each pair of output features moves"
heatmap(torch.cat(reached), rows, columns, title=title)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-who_reaches_whom", "locked": true, "schema_version": 3, "solution": false, "task": false}
# Without W_O each head would write into its own columns for ever. W_O reads all of them and decides what the next layer
# gets to see.
#
# ### The mask that lands on the heads
#
# **Break it, third way.** Three sentences, three heads; only sentence 0 ends with padding. In the upper half of the table the mask was
# passed as `mask[:, None]`, so that it has the axis for the heads: `(B, 1, 1, n_k)`. In the lower half it was passed as it
# came: `(B, 1, n_k)`. Each number says how much weight the last token receives. Where should the zeros stand, and where do they?

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-mask_on_heads", "locked": true, "schema_version": 3, "solution": false, "task": false}
torch.manual_seed(5)
padded = torch.zeros(3, 1, 4, dtype=torch.bool)  # (B, 1, n_k): three sentences
padded[0, :, 3] = True  # only sentence 0 ends with padding
x, matrices = torch.randn(3, 4, 6), [torch.randn(6, 6) / 2 for _ in range(4)]
on_last_token = []
for mask in (padded[:, None], padded):
    _, weights = multi_head_attention(x, *matrices, 3, mask=mask)
    on_last_token.append(weights[..., 3].mean(dim=-1))  # (B, H): what the last token gets
sentence = "sentence"
passed = ["mask[:, None]", "mask"]
rows = [f"{how}, {sentence} {number}" for how in passed for number in range(3)]
columns = ["head" + f" {number}" for number in range(3)]
title = "Weight on the last token of each sentence; only sentence 0 ends with padding"
heatmap(torch.cat(on_last_token), rows, columns, title=title)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-mask_on_heads", "locked": true, "schema_version": 3, "solution": false, "task": false}
# > **A mask can hit the wrong axis without a sound.** Compared from the right, the B of `(B, 1, n_k)` meets the heads. With
# > two sentences and three heads that is an error, and you would notice. With as many sentences as heads it fits: head 0
# > then hides the padding of sentence 0 in *every* sentence. So test with B and H different, and say `mask[:, None]`.

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-mask_on_heads-2", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ## 4. The layer
#
# As a layer with weights of its own, the names `W_Q`, `W_K`, `W_V` and `W_O` are part of the task. In the function they were
# `(in, out)` matrices; here they are `nn.Linear`, which keeps its weight the other way round and may add a bias.
#
# **Predict.** How many numbers does the layer have to learn with 1, 3 and 6 heads, for `d_model = 12` and without biases?
# Give a list of three.

# %%
ask("parameters_of_heads", answer=...)

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "MultiHeadAttention", "locked": false, "schema_version": 3, "solution": true, "task": false}
class MultiHeadAttention(nn.Module):
    """The same as a layer with weights of its own.

    Four nn.Linear, W_Q, W_K, W_V and W_O, from d_model to d_model;
    `bias` says for all four whether they have one.
    forward(x, mask=None), x (B, T, d_model), mask as above
    -> (output (B, T, d_model), weights (B, H, T, T)), the weights for each head.
    ValueError already when it is built, where the heads do not divide d_model.
    """

    def __init__(self, d_model: int, num_heads: int, bias: bool = False) -> None:
        super().__init__()
        raise NotImplementedError

    def forward(self, x: Tensor, mask: Tensor | None = None) -> tuple[Tensor, Tensor]:
        raise NotImplementedError

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "check-MultiHeadAttention", "locked": true, "points": 5.0, "schema_version": 3, "solution": false, "task": false}
check(MultiHeadAttention)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-check-MultiHeadAttention", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ### How many heads?
#
# **Look.** If heads cost no parameters (numbers to learn), why not take as many as possible? Your layer is trained six times, each
# time with the same width of 32, and only the number of heads differs. The task is made so that one knows what is needed:
# at each place, say something about the word one, two *and* three places back (before the first word comes the last). How many heads would you choose? Then run
# the cell; it takes a few seconds.

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-how_many_heads", "locked": true, "schema_version": 3, "solution": false, "task": false}
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
axes.set_xlabel("number of heads, and below it the width d_k of each (d_model = 32)")
axes.set_ylabel("mean squared error")
axes.grid()
picture(figure,
    "Error of six layers after the same training, against the number of heads on logarithmic axes. "
    "It falls steeply from 1 to 4 heads, is lowest near 4 and 8, and rises again towards 32."
)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-how_many_heads", "locked": true, "schema_version": 3, "solution": false, "task": false}
# Too few heads cannot keep three directions apart. Too many have hardly any features left: with 32 heads `d_k` is 1, and a
# query of one number can say little about what it looks for. Somewhere between lies a broad good region, and where it lies
# depends on the task.
#
# ### Removing heads
#
# **Break it.** We take the layer with 8 heads, switch off one head at a time, and measure the error on the same sentences.
# Three directions, eight heads: what do you expect?

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-without_each_head", "locked": true, "schema_version": 3, "solution": false, "task": false}
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
axes.axhline(without([]), linestyle="--", color="#ff7f0e", label="all heads")
axes.set(xlabel="head that is removed", ylabel="mean squared error")
axes.legend()
picture(figure,
    "A bar for each of eight heads: the error without it. The bars differ greatly: a few are high, "
    "some hardly rise above the dashed line, which is the error with all heads."
)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-without_each_head", "locked": true, "schema_version": 3, "solution": false, "task": false}
# **Look.** Which heads can go, and which cannot? Here is where each of them looks, on average:

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-where_heads_look", "locked": true, "schema_version": 3, "solution": false, "task": false}
_, weights = layer(test[0])
per_distance = [weights.diagonal(-back, 2, 3).mean(dim=(0, 2)) for back in range(4)]
looks = torch.stack(per_distance, dim=1).detach()  # (8, 4): heads, and how far back they look
rows = ["head" + f" {head}" for head in range(8)]
columns = ["itself", *("places back:" + f" {back}" for back in (1, 2, 3))]
title = "Average weight that each head gives to a word at this distance"
heatmap(looks, rows, columns, title=title)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-where_heads_look", "locked": true, "schema_version": 3, "solution": false, "task": false}
# Each of the three directions has its main heads, and without one of those the error jumps. Others look where somebody
# else looks already, or everywhere a little. How many can be removed together, if you begin with the least important?

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-several_at_once", "locked": true, "schema_version": 3, "solution": false, "task": false}
order = sorted(range(8), key=lambda head: removed[head])
counts = list(range(8))
figure, axes = plt.subplots(figsize=(6.5, 3.2))
least_first = [without(order[:count]) for count in counts]
most_first = [without(order[::-1][:count]) for count in counts]
axes.plot(counts, least_first, "o-", label="least important first")
axes.plot(counts, most_first, "s--", label="most important first")
axes.set(xlabel="number of heads removed", ylabel="mean squared error")
axes.legend()
picture(figure,
    "Error against the number of heads removed. Beginning with the least important heads it rises "
    "slowly for several heads; beginning with the most important ones it jumps at once."
)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-several_at_once", "locked": true, "schema_version": 3, "solution": false, "task": false}
# The same was found in large translation models: after training, most heads could be removed from a layer one by one with
# little harm, and a few of them could not (Michel, Levy and Neubig 2019). It does not follow that one could have trained
# without the others. And a head that matters here may be idle on other sentences: what we measured is *this* layer on
# *these* data.

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-several_at_once-2", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ## 5. The same numbers as PyTorch
#
# `nn.MultiheadAttention` is what you have just built, packed differently. Its `in_proj_weight` holds three matrices one below
# the other, those of the queries, the keys and the values, each stored as `nn.Linear` stores it; its `out_proj` is an
# `nn.Linear`. If you understood both, you can move the numbers from one to the other, and then both must give the same.
#
# Copy *numbers*, and leave to each layer its own parameters: later training of one should not reach the other. PyTorch will
# object to changing a parameter in place while it records gradients; there is a way to say that this step is not to be
# recorded.
#
# The check then gives both layers the same tokens, in float32, with biases that are drawn and not zero. Output and weights
# may differ by less than a millionth, 1e-6, for numbers around 1: adding up in another order costs less than that, a
# mistake far more. Of your weights it takes the mean over the heads.
#
# **Predict.** Why the mean? Look at what PyTorch hands back.

# %%
ask("averaged_weights", answer=...)

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "copy_weights", "locked": false, "schema_version": 3, "solution": true, "task": false}
def copy_weights(mine: MultiHeadAttention, theirs: nn.MultiheadAttention) -> None:
    """Fills `mine`, a MultiHeadAttention, with the numbers of `theirs`, an nn.MultiheadAttention
    of the same sizes and the same bias setting, so that both give the same.

    theirs.in_proj_weight (3 * d_model, d_model) and theirs.in_proj_bias (3 * d_model,), or None,
    hold queries, keys and values in this order, one below the other;
    theirs.out_proj is an nn.Linear.
    The numbers go into the parameters of `mine`, which can be trained afterwards.
    `theirs` stays as it is, and later changes in it do not reach `mine`.

    Then mine(x) and theirs(x, x, x) agree to a millionth (1e-6, in float32, numbers around 1),
    also where the biases are not zero: in the output, and in the weights averaged over the heads.
    """
    raise NotImplementedError

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "check-copy_weights", "locked": true, "points": 3.0, "schema_version": 3, "solution": false, "task": false}
check(copy_weights)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-check-copy_weights", "locked": true, "schema_version": 3, "solution": false, "task": false}
# **Look.** The comparison, in float32: once with the layer as PyTorch builds it, once after its biases have been filled with
# random numbers. `True` says that all differences are below a millionth.

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-same_as_pytorch", "locked": true, "schema_version": 3, "solution": false, "task": false}
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
print("largest difference of all:", f"{max(as_built + with_biases):.1e}")
rows = ["its biases zero, as built", "its biases drawn at random"]
columns = ["output", "weights of each head", "mean over heads / default"]
title = "Does your layer agree with PyTorch's to a millionth?"
agree = [[gap < 1e-6 for gap in gaps] for gaps in (as_built, with_biases)]
heatmap(agree, rows, columns, title=title)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-same_as_pytorch", "locked": true, "schema_version": 3, "solution": false, "task": false}
# **Break it.** And if somebody forgets the biases? We copy again and then put zeros in the place of yours. The table says how
# far your layer is from PyTorch's (`0.00` is rounding and no more). In which row would you notice?

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-biases_forgotten", "locked": true, "schema_version": 3, "solution": false, "task": false}
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
rows = ["its biases zero, as built", "its biases drawn at random"]
columns = ["output", "mean over heads / default"]
title = "Largest difference from PyTorch's layer when your biases are all zero"
heatmap(gaps, rows, columns, title=title)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-biases_forgotten", "locked": true, "schema_version": 3, "solution": false, "task": false}
# > **Biases of zero hide mistakes.** PyTorch starts the biases of this layer at zero. Whoever builds the layer without them, or
# > never adds them, gets a perfect match on the first day and a wrong model after the first training. Test with numbers that are
# > all different from zero and from each other.
#
# The last column needs a closer look. The weights that PyTorch returns are not those of the heads:

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-shapes_of_weights", "locked": true, "schema_version": 3, "solution": false, "task": false}
print("MultiHeadAttention:     ", tuple(mine(x)[1].shape))
print("nn.MultiheadAttention:  ", tuple(theirs(x, x, x)[1].shape))

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-shapes_of_weights", "locked": true, "schema_version": 3, "solution": false, "task": false}
# > **By default `nn.MultiheadAttention` returns the average over its heads.** Say `average_attn_weights=False` to get all of
# > them. An average of two sharp patterns is a blurred one that belongs to nobody. Here it is, for the two heads of section
# > 3:

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-average_of_heads", "locked": true, "schema_version": 3, "solution": false, "task": false}
title = "The average of head 0 and head 1"
heatmap(two_maps[0].mean(dim=0), words, short, title=title, **names)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-average_of_heads", "locked": true, "schema_version": 3, "solution": false, "task": false}
# Would you have guessed from this table that one head looks at the word before, and another at nouns?
#
# **Break it once more.** One more default. `nn.MultiheadAttention` expects `(T, B, d_model)` unless it is told `batch_first=True`, and
# in self-attention no shape ever complains. We change sentence 1 of a batch and watch the output of both sentences.

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-batch_first", "locked": true, "schema_version": 3, "solution": false, "task": false}
changed_x = x.clone()
changed_x[1] = torch.randn(5, 12)
moved = []
for first in (True, False):
    layer = nn.MultiheadAttention(12, 3, batch_first=first)
    before, _ = layer(x, x, x)
    after, _ = layer(changed_x, changed_x, changed_x)
    moved.append((after - before).detach().abs().amax(dim=(1, 2)))
rows = ["batch_first=True", "batch_first=False"]
columns = ["sentence" + f" {number}" for number in range(2)]
title = "Sentence 1 was changed: how far does each output move?"
heatmap(torch.stack(moved), rows, columns, title=title)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-batch_first", "locked": true, "schema_version": 3, "solution": false, "task": false}
# A sentence that is alone in the world should not notice what happens in another one. Keep this test, too: it needs one
# line, and it finds a mistake that somebody once described as "a strong regularization layer".
#
# And its masks? `True` hides there too, but there are two arguments, and neither of them is quite like yours:

# %%
ask("which_argument", answer=...)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-ask-which_argument", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ## In three sentences
#
# Multi-head attention cuts the projected features into heads, and each head has its own softmax, so that a token can ask
# several questions without stirring the answers together. W_O combines what the heads bring; how many heads are good depends
# on the task, and after training removing some costs little, removing others much. `nn.MultiheadAttention` is the same computation, with
# three matrices packed into one, another order of axes unless asked, and weights that are averaged unless asked.

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-ask-which_argument-2", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ## In your own words
#
# Somebody says: "Our model has sixteen heads, so it is better than yours with four." What do you answer, in three to five
# sentences, and what would you measure?

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": true, "grade_id": "write-sixteen_heads", "locked": false, "points": 0, "schema_version": 3, "solution": true, "task": false}
# *Write your answer here.*

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-write-sixteen_heads", "locked": true, "schema_version": 3, "solution": false, "task": false}
# Next, in `06_complexity`, you count what all of these tables cost, and measure it.
