# ---
# jupyter:
#   attn:
#     assignment: 02_qkv_projections
#     version: 1
#     language: en
#   kernelspec:
#     display_name: Python 3 (ipykernel)
#     language: python
#     name: python3
# ---

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-opening", "locked": true, "schema_version": 3, "solution": false, "task": false}
# # Three views of the same token
#
# When you look for a book you type a few words into the catalogue. The catalogue compares them with what stands on each
# card, and in the end you carry home neither your question nor the card but the book. Three different texts: what you ask,
# what the book is found by, what it hands you. **If every word of a sentence looks up the other words, where do its
# question, its card and its content come from?**
#
# Our sentence is 猫が寝る (*neko ga neru*, "the cat sleeps"), in three tokens: 猫 (cat), が (marks the subject), 寝る
# (sleeps). Each token is a vector of `d_model` numbers.
#
# After this lesson you can
#
# * make queries, keys and values from the same tokens, for one sentence or for a batch;
# * say why that takes three matrices and not one;
# * move between an `(in, out)` matrix and an `nn.Linear` without being caught by its orientation;
# * explain why positions have to be put in from outside.
#
# Run the cells from the top. Each answer cell says what is wanted; replace the line that raises an error, run the cell,
# then run the check below it. When you come back another day, run everything from the top again.

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "lesson-setup", "locked": true, "schema_version": 3, "solution": false, "task": false}
import torch
from torch import nn
from autograder.learn import lesson
from autograder.learn.heatmap import heatmap

check, ask = lesson("02_qkv_projections", language="en")

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-opening-2", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ## 1. One matrix, many tokens
#
# A projection makes `d_out` new numbers out of a token's `d_in` numbers, each of them a weighted sum of all. The weights
# stand in a matrix `W` of shape `(d_in, d_out)`, the same for every token. Tokens are **rows** here: `(T, d_in)` is a
# sentence, `(B, T, d_in)` a batch of sentences, and later a further axis will hold heads.
#
# > **Books often write y = Wx.** There a token is a column and stands on the right. In code tokens are rows, and a row
# > meets the *rows of W*, one number for each. Before you write a product, put the two shapes side by side: which two sizes
# > must be equal?

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "project", "locked": false, "schema_version": 3, "solution": true, "task": false}
def project(x, W):
    """Multiplies every token of x, (..., T, d_in), by the matrix W, (d_in, d_out),
    and returns (..., T, d_out).
    The leading axes (batch, heads, or none at all) stay as they are.

    project([[1., 2.]], [[1., 0., 3.], [0., 1., 1.]]) is [[1., 2., 5.]].
    """
    raise NotImplementedError

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "check-project", "locked": true, "points": 3.0, "schema_version": 3, "solution": false, "task": false}
check(project)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-check-project", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ## 2. Asking, being found, handing on
#
# In *self*-attention all three come from the same `x`: Q = XW_Q, K = XW_K, V = XW_V. (In *cross*-attention, as in a
# translator, the queries come from one sentence, the keys and values from another.) You will meet calls like
# `mha(x, x, x)`, which look as if nothing were projected at all. The projections happen inside.
#
# Queries and keys are going to be compared with each other, number by number, so they must have the same width `d_k`.
# Values are compared with nothing; they may have a width `d_v` of their own.
#
# **Predict.** The next cell asks you about shapes when you run it. Put the letter of your answer, in quotes, in place of
# `...` and run it again.

# %%
ask("qkv_shapes", answer=...)

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "qkv", "locked": false, "schema_version": 3, "solution": true, "task": false}
def qkv(x, W_Q, W_K, W_V):
    """Returns the queries, keys and values (Q, K, V) of x, (..., T, d_model).
    W_Q and W_K are (d_model, d_k) and W_V is (d_model, d_v):
    Q and K are (..., T, d_k), V is (..., T, d_v).

    With x = [[1., 2.]], W_Q = [[1.], [0.]], W_K = [[0.], [1.]] and W_V = [[1.], [1.]]
    it gives ([[1.]], [[2.]], [[3.]]).
    """
    raise NotImplementedError

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "check-qkv", "locked": true, "points": 4.0, "schema_version": 3, "solution": false, "task": false}
check(qkv)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-check-qkv", "locked": true, "schema_version": 3, "solution": false, "task": false}
# The table shows who finds whom interesting: the dot product of each token's query with each token's key, made with your
# function. Negative numbers mean "rather not". Compare the field 猫 → 寝る with the field 寝る → 猫.

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-who_asks_whom", "locked": true, "schema_version": 3, "solution": false, "task": false}
torch.manual_seed(2)
tokens = "猫 (cat) / が (subject) / 寝る (sleeps)".split(" / ")
names = {"row_name": "who asks (query)", "column_name": "who is asked (key)"}
x = torch.randn(3, 8)
for_queries, for_keys, for_values = torch.randn(8, 5), torch.randn(8, 5), torch.randn(8, 3)
queries, keys, values = qkv(x, for_queries, for_keys, for_values)
title = "Queries times keys: how much each token looks for each other one"
heatmap(queries @ keys.T, tokens, tokens, title=title, **names)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-who_asks_whom", "locked": true, "schema_version": 3, "solution": false, "task": false}
# **Break it.** Why not save a matrix and use one for questions and cards? Here the same numbers serve as W_Q and W_K. Look
# at pairs of fields across the diagonal. What can a token no longer say about another one?

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-one_matrix_for_both", "locked": true, "schema_version": 3, "solution": false, "task": false}
queries, keys, values = qkv(x, for_queries, for_queries, for_values)
title = "The same, with one matrix for queries and keys"
heatmap(queries @ keys.T, tokens, tokens, title=title, **names)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-one_matrix_for_both", "locked": true, "schema_version": 3, "solution": false, "task": false}
# Nobody decides what the numbers in Q, K and V mean. Training finds matrices that make the model's predictions better, and
# what a single column stands for often has no name in any human language. "Question, card, content" tells you which role a
# vector plays, not what is in it.

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-one_matrix_for_both-2", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ## 3. The same thing in PyTorch
#
# `nn.Linear(d_in, d_out)` is a projection that carries its own matrix, and usually a bias too.
#
# > **It stores the matrix the other way round.** Its `weight` has the shape `(d_out, d_in)`, one row for each *output*.
# > When sizes differ, mixing the two up gives an error. When they are equal, it gives other numbers and no error at all. In
# > this course a `W_Q` that is handed to a function is `(in, out)`, and a `W_Q` inside a class is an `nn.Linear`.
#
# Write a function that gives the matrix of a layer in our orientation. Whoever trains with it wants gradients to arrive at
# the layer, so think about which ways of copying numbers would cut the connection.

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "matrix_of", "locked": false, "schema_version": 3, "solution": true, "task": false}
def matrix_of(linear):
    """Returns the (d_in, d_out) matrix W of an nn.Linear,
    so that linear(x) equals x @ W + linear.bias.
    A view or a copy; gradients reach linear.weight.

    The matrix of nn.Linear(5, 3) has the shape (5, 3).
    """
    raise NotImplementedError

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "check-matrix_of", "locked": true, "points": 4.0, "schema_version": 3, "solution": false, "task": false}
check(matrix_of)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-check-matrix_of", "locked": true, "schema_version": 3, "solution": false, "task": false}
# Now the three projections as a layer of their own. The names `W_Q`, `W_K` and `W_V` are part of the task: weights are
# saved and loaded by name. The line that calls `super().__init__()` stays where it is; without it PyTorch cannot see
# what is inside the layer.

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "QKVProjection", "locked": false, "schema_version": 3, "solution": true, "task": false}
class QKVProjection(nn.Module):
    """Layer with three nn.Linear without bias:
    W_Q and W_K from d_model to d_k, W_V from d_model to d_v.
    forward(x), x of shape (..., T, d_model), returns (Q, K, V).

    QKVProjection(8, 5, 3)(torch.zeros(2, 4, 8)) returns tensors
    of shapes (2, 4, 5), (2, 4, 5) and (2, 4, 3).
    """

    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        raise NotImplementedError

    def forward(self, x):
        raise NotImplementedError

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "check-QKVProjection", "locked": true, "points": 5.0, "schema_version": 3, "solution": false, "task": false}
check(QKVProjection)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-check-QKVProjection", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ## 4. Where am I?
#
# Every token has been treated alike so far, and that has a price.
#
# **Break it.** We shuffle the three words and project again. Guess first: which of Q, K and V notices that the order has
# changed?

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-order_is_invisible", "locked": true, "schema_version": 3, "solution": false, "task": false}
order = [2, 0, 1]
shuffled = qkv(x[order], for_queries, for_keys, for_values)
straight = qkv(x, for_queries, for_keys, for_values)
differences = []
for new, old in zip(shuffled, straight, strict=True):
    differences.append((new - old[order]).abs().amax(dim=-1))
columns = [tokens[place] for place in order]
title = "How much the numbers of each token differ after shuffling"
heatmap(torch.stack(differences), ["Q", "K", "V"], columns, title=title)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-order_is_invisible", "locked": true, "schema_version": 3, "solution": false, "task": false}
# The rows come out in another order, and that is all: every token has exactly the numbers it had before. "Dog bites man"
# and "man bites dog" would be the same three tokens. The place of a token must therefore be written *into* its vector.
# One classic way adds a row of sines and cosines. Think of clocks: each pair of columns is one hand, the first turns fast,
# the last hardly moves, and together they tell the position, as hour, minute and second tell the time.
#
# `start` is for texts that go on: the fifth token of a text has the same hands, whether you compute the first ten rows or
# begin with it.

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "sinusoidal_positions", "locked": false, "schema_version": 3, "solution": true, "task": false}
def sinusoidal_positions(n, d_model, start=0):
    """Returns the table of the positions start ... start + n - 1
    as float32 (n, d_model); d_model is even.
    With p a position: column 2i holds sin(p / 10000^(2i/d_model)),
    column 2i + 1 the cosine of the same angle.

    sinusoidal_positions(2, 2) is [[0.0000, 1.0000], [0.8415, 0.5403]].
    """
    raise NotImplementedError

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "check-sinusoidal_positions", "locked": true, "points": 4.0, "schema_version": 3, "solution": false, "task": false}
check(sinusoidal_positions)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-check-sinusoidal_positions", "locked": true, "schema_version": 3, "solution": false, "task": false}
# Go through the columns of your table from left to right, and down each of them: how often does its sign change within
# these eight positions?

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-clock_hands", "locked": true, "schema_version": 3, "solution": false, "task": false}
columns = ["column" + f" {number}" for number in range(6)]
rows = [str(place) for place in range(8)]
title = "Your table: one pair of columns, one clock hand"
heatmap(sinusoidal_positions(8, 6), rows, columns, row_name="position", title=title)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-clock_hands", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ## In three sentences
#
# From the same token three matrices make a query (what it looks for), a key (what it is found by) and a value (what it
# hands on). One matrix for two roles would force them to be the same, and training could not tell them apart. Projections
# treat every token alike, so where a token stands has to be added from outside.

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-clock_hands-2", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ## In your own words
#
# Somebody who has just read `mha(x, x, x)` says: "Query, key and value are the same thing three times." What do you
# answer, in three to five sentences?

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": true, "grade_id": "write-three_times_the_same", "locked": false, "points": 0, "schema_version": 3, "solution": true, "task": false}
# *Write your answer here.*

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-write-three_times_the_same", "locked": true, "schema_version": 3, "solution": false, "task": false}
# Next, in `03_scaled_dot_product`, queries and keys are compared in earnest, and the values are mixed.
