# ---
# jupyter:
#   attn:
#     assignment: 03_scaled_dot_product
#     version: 1
#     language: en
#   kernelspec:
#     display_name: Python 3 (ipykernel)
#     language: python
#     name: python3
# ---

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-opening", "locked": true, "schema_version": 3, "solution": false, "task": false}
# # Why divide by √d?
#
# Toss a coin four times and take a step to the right for each head, to the left for each tail. You will end up about two
# steps from where you stood. Toss it 400 times, and you will be about twenty steps away, although each step is as long as
# before. A dot product is such a walk: one step for each pair of numbers. **Why does an attention that works with vectors
# of 4 numbers fail with 400, and how does a single division save it?**
#
# After this lesson you can
#
# * compare all queries with all keys in one product, also when they come from two different sequences;
# * show with a histogram why the scores are divided by √d_k, and with a curve what happens to whoever does not;
# * turn scores into weights and weights into a mixture of values;
# * say what attention knows about the order of the words, and measure it;
# * look at a map of weights without reading more out of it than it says.
#
# You need softmax and the soft lookup of lesson 01, and from lesson 02 that queries, keys and values are made from tokens.
# As there, everything is a PyTorch tensor.
#
# Run the cells from the top. Each answer cell says what is wanted; replace the line that raises an error, run the cell,
# then run the check below it. When you come back another day, run everything from the top again.

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "lesson-setup", "locked": true, "schema_version": 3, "solution": false, "task": false}
from collections.abc import Callable
import math
import matplotlib.pyplot as plt
import torch
from torch import Tensor
from autograder.learn import lesson
from autograder.learn.heatmap import heatmap
from autograder.learn.picture import picture

check, ask = lesson("03_scaled_dot_product", language="en")

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-opening-2", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ## 1. Softmax, now with gradients
#
# You know softmax already: exponentials, divided by their sum, so that a row of scores becomes shares that sum to 1. With
# tensors the axis is called `dim`. Two things are new. There may be any number of axes, since batches and heads come
# along. And gradients flow through your function, because a model learns through it.
#
# Coming from NumPy, one more name changes (`keepdims` is `keepdim`), and one function surprises: `x.max(dim=0)` gives *two*
# things, the largest numbers and where they were. `x.amax(dim=0)` gives only the numbers.
#
# **Predict.** The next cell asks you a question when you run it. Put your prediction in place of `...`. Once your function
# is written, run the cell again, and it compares the two.

# %%
ask("quiet_and_loud_rows", answer=...)

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "softmax", "locked": false, "schema_version": 3, "solution": true, "task": false}
def softmax(x: Tensor, dim: int = -1) -> Tensor:
    """Shares along one axis: positive, the larger the number the larger its share, together 1.

    x (any shape), dim an axis of it, -1 unless given -> tensor of the same shape and dtype.
    Right for every finite input, however large, and in each slice along the axis by itself.

    softmax(torch.tensor([[0., 0.], [1000., 0.]])) -> [[0.5, 0.5], [1.0, 0.0]]
    """
    raise NotImplementedError

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "check-softmax", "locked": true, "points": 6.0, "schema_version": 3, "solution": false, "task": false}
check(softmax)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-check-softmax", "locked": true, "schema_version": 3, "solution": false, "task": false}
# **Break it.** Add the same number to all three scores of a row. Which of the weights should move? The cell asks your
# function, and beside it the plain formula, exp divided by the sum of exps. Say what each row will show, then run it.

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-shifted_scores", "locked": true, "schema_version": 3, "solution": false, "task": false}
shifts = [0.0, 50.0, 1000.0, -1000.0]
scores = torch.tensor([[2.0, 1.0, 0.0]])
shifted = torch.cat([scores + shift for shift in shifts])
by_formula = shifted.exp() / shifted.exp().sum(dim=-1, keepdim=True)
both = torch.cat([softmax(shifted), by_formula], dim=-1)
yours, formula = "yours, key", "formula, key"
columns = [f"{name} {key}" for name in (yours, formula) for key in range(3)]
title = "The weights of the scores 2, 1, 0 with a number added to all three"
heatmap(both, [f"{shift:+g}" for shift in shifts], columns, title=title)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-shifted_scores", "locked": true, "schema_version": 3, "solution": false, "task": false}
# A whole row may be lifted or lowered, and no weight moves: only differences count. The formula knows that on paper and
# forgets it in the computer. At +1000 it divides infinity by infinity, at -1000 it divides 0 by 0.
#
# **Look.** Two keys compete. One has the score 0, the other has a lead, negative or positive. The solid curve is its weight
# from your function. The dashed one is its slope: by how much the weight moves when the score moves a little. PyTorch
# computed it through your code.

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-slope_of_softmax", "locked": true, "schema_version": 3, "solution": false, "task": false}
lead = torch.linspace(-15, 15, 121, requires_grad=True)
two_scores = torch.stack([lead, torch.zeros(121)], dim=-1)  # 121 pairs of scores: (lead, 0)
weight = softmax(two_scores)[:, 0]
(slope,) = torch.autograd.grad(weight.sum(), lead)
figure, axes = plt.subplots(figsize=(6.5, 3.2))
axes.plot(lead.detach(), weight.detach(), label="weight")
axes.plot(lead.detach(), slope, "--", label="slope (weight per unit of score)")
axes.set(xlabel="lead of the first score over the second", ylabel="weight, slope")
axes.legend()
picture(figure,
    "Two curves over the lead of one score over another, from -15 to 15. The weight rises like an "
    "S from 0 to 1 and is 0.5 at a lead of 0. Its slope is a hill: 0.25 at 0, and practically 0 "
    "beyond 8 in either direction."
)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-slope_of_softmax", "locked": true, "schema_version": 3, "solution": false, "task": false}
# The slope is the road by which learning reaches the scores. Near 0 it is open. With a lead of 10 in either direction
# hardly anything of it is left: a softmax there is called *saturated*. Such a model may be wrong, and its scores will not
# move. So where do the scores of a real model lie?

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-slope_of_softmax-2", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ## 2. All pairs in one product
#
# Each query is compared with each key by a dot product. With `n_q` queries and `n_k` keys that makes a table of scores,
# `(n_q, n_k)`: **a row for each query, a column for each key.** One matrix product computes them all. Which axis has to
# meet which? (`.T`, which you know from matrices, turns *all* axes round. With a batch in front, only two should change
# places.)
#
# Nothing says that there are as many queries as keys. In a translator, the English words look at the Japanese ones. That
# is *cross-attention*. When a sentence looks at itself it is *self-attention*, and the same function serves for both.
#
# **Predict.** This time choose a letter, and put it in quotes.

# %%
ask("two_lengths", answer=...)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-ask-two_lengths", "locked": true, "schema_version": 3, "solution": false, "task": false}
# Now for the coin. Suppose that the numbers in a query and a key are as likely positive as negative, and of size 1 or so
# (variance 1). Each product of two such numbers is one step of the walk, and a dot product adds up d_k of them.

# %%
ask("wider_vectors", answer=...)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-ask-wider_vectors", "locked": true, "schema_version": 3, "solution": false, "task": false}
# So the scores are divided by √d_k, which brings the typical size back to 1, for every width. And one by hand:

# %%
ask("scores_by_hand", answer=...)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-ask-scores_by_hand", "locked": true, "schema_version": 3, "solution": false, "task": false}
# > **d_k is the width of one query.** It is not the width of the model, not the number of words, not the width of the
# > values. How many products are added up in *one* score? The root of that number. While all widths happen to be equal, a
# > wrong one goes unnoticed; in `05_multi_head` they no longer are.

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "attention_scores", "locked": false, "schema_version": 3, "solution": true, "task": false}
def attention_scores(Q: Tensor, K: Tensor) -> Tensor:
    """How well each query matches each key: their dot product, divided by the square root of d_k.

    Q (..., n_q, d_k), K (..., n_k, d_k) -> scores (..., n_q, n_k).
    d_k is the width of a query, which is also that of a key.
    "..." are equal leading axes, or none.

    With d_k = 4: Q = [[2., 0., 0., 0.]], K = [[3., 0., 0., 0.], [0., 1., 0., 0.]] -> [[3.0, 0.0]]
    """
    raise NotImplementedError

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "check-attention_scores", "locked": true, "points": 5.0, "schema_version": 3, "solution": false, "task": false}
check(attention_scores)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-check-attention_scores", "locked": true, "schema_version": 3, "solution": false, "task": false}
# **Look.** Ten thousand scores of random queries and keys, for a small and a large d_k. Your function made the panel on the
# right. For the one on the left your division was taken back.

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-spread_of_scores", "locked": true, "schema_version": 3, "solution": false, "task": false}
torch.manual_seed(3)
figure, panels = plt.subplots(1, 2, figsize=(8, 3.2), sharey=True)
for d_k in (4, 256):
    divided = attention_scores(torch.randn(100, d_k), torch.randn(100, d_k))
    for axes, scores in zip(panels, (divided * d_k**0.5, divided), strict=True):
        style = {"histtype": "step", "linewidth": 2, "label": f"d_k = {d_k}"}
        percent = torch.full((10_000,), 0.01)  # what each of 10,000 scores counts
        axes.hist(scores.flatten(), bins=40, weights=percent, **style)
for axes, title in zip(panels, ("not divided", "divided by √d_k"), strict=True):
    axes.set(title=title, xlabel="score", xlim=(-50, 50))
panels[0].set_ylabel("share of pairs (%)")
panels[0].legend()
picture(figure,
    "Two panels with histograms of scores for d_k = 4 and d_k = 256. Not divided, nearly all for 4 "
    "lie between -8 and 8, nearly all for 256 between -50 and 50. Divided by the root of d_k, "
    "nearly all of both lie between -4 and 4."
)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-spread_of_scores", "locked": true, "schema_version": 3, "solution": false, "task": false}
# On the left, a score of 20 or 30 is nothing special once d_k is 256. Look up in section 1 what softmax does with a lead
# like that.
#
# **Break it.** What does the whole chain do, from scores to weights, without the division? Here are random queries and ten
# keys. We ask how strongly the largest weight of a typical query reacts to a small change of a score. Before you run it:
# what should happen to the lower curve, each time d_k doubles?

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-lost_gradient", "locked": true, "schema_version": 3, "solution": false, "task": false}
widths = [4, 8, 16, 32, 64, 128, 256, 512, 1024]
curves = {"divided by √d_k": [], "not divided": []}
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
axes.set(xlabel="d_k (numbers per query)", ylabel="gradient (weight per unit of score)")
axes.legend()
picture(figure,
    "Two curves over d_k from 4 to 1024, both axes logarithmic. Divided, the gradient stays at "
    "0.2. Not divided, it falls ever more steeply, from 0.2 at d_k = 8 to about 0.04 at 64 and to "
    "a few millionths at 1024."
)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-lost_gradient", "locked": true, "schema_version": 3, "solution": false, "task": false}
# Mind the scale: each step of the left axis is a factor of ten. With the division, a model of any width can learn from the
# start. Without it, a narrow model hardly suffers, and a wide one begins with its choices made, at random, and no gradient
# to unmake them. This is why a forgotten division goes unnoticed on small examples.

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-lost_gradient-2", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ## 3. A mixture of values
#
# The rest you know from the soft lookup: the scores of a query become weights, and the weights mix the values. The axis
# along which the weights sum to 1 is a decision. Who shares out, and among whom?
#
# **Predict.** A query that asks very loudly, and two keys that fit equally well:

# %%
ask("two_equal_keys", answer=...)

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "attention", "locked": false, "schema_version": 3, "solution": true, "task": false}
def attention(Q: Tensor, K: Tensor, V: Tensor) -> tuple[Tensor, Tensor]:
    """What each query takes from the values: an average, weighted by how well their keys match.

    Q (..., n_q, d_k), K (..., n_k, d_k), V (..., n_k, d_v)
    -> (output (..., n_q, d_v), weights (..., n_q, n_k)).
    The weights of each query are the softmax of its scores over the keys.

    Q = [[0., 0.]], K = [[1., 2.], [3., 4.]], V = [[10.], [20.]] -> ([[15.0]], [[0.5, 0.5]])
    """
    raise NotImplementedError

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "check-attention", "locked": true, "points": 5.0, "schema_version": 3, "solution": false, "task": false}
check(attention)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-check-attention", "locked": true, "schema_version": 3, "solution": false, "task": false}
# **Look.** *The cat is sleeping* looks at 猫が寝ている (*neko ga nete iru*): 猫 (cat), が (marks the subject), 寝ている (is
# sleeping). The vectors were chosen by hand, four numbers a word; the weights come from your function. What does "the"
# find, in a language that has no such word?

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-english_looks_at_japanese", "locked": true, "schema_version": 3, "solution": false, "task": false}
english = "The / cat / is / sleeping".split(" / ")
japanese = "猫 (cat) / が (subject) / 寝ている (is sleeping)".split(" / ")
names = {"row_name": "who looks (query)", "column_name": "who is looked at (key)"}
# Four numbers a word: animal, action, grammar, going on now.
the, cat = [1.0, 0.0, 2.0, 0.0], [6.0, 0.0, 0.0, 0.0]
is_, sleeping = [0.0, 1.0, 1.0, 3.0], [0.0, 6.0, 0.0, 1.0]
Q = torch.tensor([the, cat, is_, sleeping])
K = torch.tensor([[1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 1.0, 0.0, 1.0]])
V = torch.tensor([[5.0, 1.0], [0.1, 0.2], [-1.0, 4.0]])
_, weights = attention(Q, K, V)
title = "Your weights: English words look at Japanese ones"
heatmap(weights, english, japanese, title=title, **names)

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-sums", "locked": true, "schema_version": 3, "solution": false, "task": false}
for sums, axis in (("sums of the rows:", 1), ("sums of the columns:", 0)):
    print(sums, [round(total, 2) for total in weights.sum(dim=axis).tolist()])

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-sums", "locked": true, "schema_version": 3, "solution": false, "task": false}
# > **Rows look, columns are looked at.** The row of *cat* says where "cat" looks. The column of 猫 says who looks at 猫. Many
# > a picture leaves its axes without names, and even a well-known tutorial once had them the wrong way round. Add up: the
# > direction in which the weights sum to 1 runs over the keys. The other one may sum to anything.

# %%
ask("bright_column", answer=...)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-ask-bright_column", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ## 4. Weights are not yet explanations
#
# A map of weights looks like a reason: *the model said this because it looked there.* Before you believe it, think of what
# comes after the weights.

# %%
ask("large_weight", answer=...)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-ask-large_weight", "locked": true, "schema_version": 3, "solution": false, "task": false}
# A query looks at the three Japanese tokens with the weights 0.2, 0.7 and 0.1. What it takes home is weight times value.

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-weight_and_value", "locked": true, "schema_version": 3, "solution": false, "task": false}
asking = torch.tensor([[2.0, 0.0, 0.0, 0.0]])
keys = torch.zeros(3, 4)
keys[:, 0] = torch.tensor([0.2, 0.7, 0.1]).log()  # so that these will be the weights
_, weights = attention(asking, keys, V)
lengths = V.norm(dim=1)
table = torch.stack([weights[0], lengths, weights[0] * lengths])
rows = ["weight", "length of the value", "length of weight times value"]
title = "Looked at, and handed over"
heatmap(table, rows, japanese, title=title)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-weight_and_value", "locked": true, "schema_version": 3, "solution": false, "task": false}
# が has by far the largest weight, and hands over next to nothing. 猫 has a small one and hands over most.
#
# **Break it.** Can two quite different maps mean the same? Let two tokens have equal values.

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-two_maps", "locked": true, "schema_version": 3, "solution": false, "task": false}
equal_values = torch.stack([V[0], V[1], V[0]])  # the last is like the first
rows_of_table = []
for shares in ([0.8, 0.1, 0.1], [0.1, 0.1, 0.8]):
    keys[:, 0] = torch.tensor(shares).log()
    output, weights = attention(asking, keys, equal_values)
    rows_of_table.append(torch.cat([weights[0], output[0]]))
columns = [*japanese, "→ 1st", "→ 2nd"]
title = "Two maps, one output (→)"
heatmap(torch.stack(rows_of_table), ["first map", "second map"], columns, title=title)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-two_maps", "locked": true, "schema_version": 3, "solution": false, "task": false}
# If you only saw the maps, you would tell two stories, one about the first token and one about the last. For the model
# there is no difference at all.
#
# > **A weight says what share a value has in the mixture.** It does not say how long that value is, where it points, or
# > what later layers make of it. Researchers still argue how much such maps explain (*Attention is not Explanation*, Jain &
# > Wallace 2019, and *Attention is not not Explanation*, Wiegreffe & Pinter 2019). Whoever claims a cause should change
# > something and see what happens. `09_reading_attention` does.

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-two_maps-2", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ## 5. What about the order?
#
# 犬が人を噛む (*inu ga hito o kamu*) means "the dog bites the man": 犬 (dog), が (marks the subject), 人 (man), を (marks the
# object), 噛む (bites). 人が犬を噛む is the other way round. Every word is one vector, and the sentence looks at itself with
# your `attention`, with no positions added.

# %%
ask("who_bit_whom", answer=...)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-ask-who_bit_whom", "locked": true, "schema_version": 3, "solution": false, "task": false}
# The cell shows the output of 噛む, four numbers, in both sentences: first without positions, then with a vector added for
# each place, as in lesson 02.

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-who_bites", "locked": true, "schema_version": 3, "solution": false, "task": false}
torch.manual_seed(205)
dog_bites_man = "犬 (dog) / が (subject) / 人 (man) / を (object) / 噛む (bites)".split(" / ")
man_bites_dog = "人 (man) / が (subject) / 犬 (dog) / を (object) / 噛む (bites)".split(" / ")
vectors = {word: torch.randn(4) for word in dog_bites_man}  # one for each word
places = torch.randn(5, 4)  # one for each place


def without_positions(x):
    return attention(x, x, x)[0]


def with_positions(x):
    return without_positions(x + places)


rows, of_the_verb = [], []
for look, name in ((without_positions, "without positions"), (with_positions, "with positions")):
    for sentence in (dog_bites_man, man_bites_dog):
        x = torch.stack([vectors[word] for word in sentence])[None]  # (1, 5, 4)
        of_the_verb.append(look(x)[0, -1])
        rows.append(" ".join(word.split(" ")[0] for word in sentence) + f" ({name})")
columns = ["number" + f" {number}" for number in (1, 2, 3, 4)]
title = "The output of 噛む (bites) in two sentences"
heatmap(torch.stack(of_the_verb), rows, columns, title=title)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-who_bites", "locked": true, "schema_version": 3, "solution": false, "task": false}
# > **Attention does not read from left to right.** It does not read in any direction. The words stand in a row for *us*;
# > your function has no line in which a place occurs. Whatever it is to know about the order must be in the vectors.
#
# So much for one word. What happens to the whole list of outputs?

# %%
ask("after_shuffling", answer=...)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-ask-after_shuffling", "locked": true, "schema_version": 3, "solution": false, "task": false}
# This can be measured for any function from a sequence to a sequence. Shuffle the tokens and then apply the function; or
# apply it first and then shuffle what comes out. If the function cares nothing about the order, both ways lead to the same
# place. How far they come apart at most is the *order gap*.
#
# **Predict.** Pencil and paper once more. A running sum certainly cares about the order:

# %%
ask("running_sum", answer=...)

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "order_gap", "locked": false, "schema_version": 3, "solution": true, "task": false}
def order_gap(fn: Callable[[Tensor], Tensor], x: Tensor, permutation: Tensor) -> float:
    """How much it matters to fn in which order the tokens come.

    fn maps (B, T, d) to (B, T, d); x (B, T, d); permutation (T,) holds 0 ... T - 1 in some order
    -> a float.
    Reorder the tokens before fn, and by the same permutation after fn. The gap is the largest
    absolute difference between the two results, over all samples, places and features.
    It is 0, up to rounding, where fn only moves its results along with its tokens.

    order_gap(torch.sin, x, permutation) -> 0.0
    """
    raise NotImplementedError

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "check-order_gap", "locked": true, "points": 4.0, "schema_version": 3, "solution": false, "task": false}
check(order_gap)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-check-order_gap", "locked": true, "schema_version": 3, "solution": false, "task": false}
# **Break it.** Three functions, made of your `attention`. Say before you run the cell which of the gaps will be 0, up to
# rounding.

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-order_gaps", "locked": true, "schema_version": 3, "solution": false, "task": false}
def looking_back_only(x):
    """Each token looks at itself and at what came before it."""
    outputs = []
    for n in range(1, x.shape[1] + 1):
        newest, seen = x[:, n - 1 : n], x[:, :n]
        outputs.append(attention(newest, seen, seen)[0])
    return torch.cat(outputs, dim=1)


order = torch.tensor([2, 1, 0, 3, 4])
functions = {"without positions": without_positions, "with positions": with_positions}
functions["without positions, looking back only"] = looking_back_only
gaps = [order_gap(function, x, order) for function in functions.values()]
title = "Your order_gap of three functions"
heatmap(gaps, list(functions), ["order gap"], title=title)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-order_gaps", "locked": true, "schema_version": 3, "solution": false, "task": false}
# The third one has no positions at all, and still there is a gap: whoever may only look back sees few tokens from an early
# place and many from a late one. Keep that in mind for the next lesson, in which the future gets hidden.

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-order_gaps-2", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ## In three sentences
#
# One product compares every query with every key, and since a dot product of d_k numbers spreads like √d_k, the scores are
# divided by that, or else softmax saturates and nothing can be learnt through it. The weights of each query sum to 1 over
# the keys and mix the values, but what a weight does depends on the value that it weighs. Attention by itself does not know
# about order: shuffle the words, and the outputs are shuffled alike.

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-order_gaps-3", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ## In your own words
#
# Somebody takes the division by √d_k out of their code. Their little model, with vectors of 8 numbers, trains as well as
# before, so they say: "That division is just decoration." What do you answer, in three to five sentences? Say what would
# happen to the scores, to the weights and to the gradients of a wide model.

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": true, "grade_id": "write-just_decoration", "locked": false, "points": 0, "schema_version": 3, "solution": true, "task": false}
# *Write your answer here.*

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-write-just_decoration", "locked": true, "schema_version": 3, "solution": false, "task": false}
# Next, in `04_masked_softmax`, some queries are not allowed to look at everything.
