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
# * say why that takes three matrices and not one, and what is lost with fewer;
# * move between an `(in, out)` matrix and an `nn.Linear` without being caught by its orientation;
# * explain why positions have to be put in from outside, and put them in.
#
# From `01_soft_lookup` you need one idea. A **query** is compared with every **key** by a dot product, and the better a key
# fits, the larger a share of its **value** is taken home. Everything else is here.
#
# From now on arrays are PyTorch *tensors*. Shapes, slices, `+`, `@` and broadcasting work as in NumPy, and `torch.zeros`,
# `torch.arange`, `torch.sin` and many others have the names that you know.
#
# Run the cells from the top. Each answer cell says what is wanted; replace the line that raises an error, run the cell,
# then run the check below it. When you come back another day, run everything from the top again.

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "lesson-setup", "locked": true, "schema_version": 3, "solution": false, "task": false}
import math
import matplotlib.pyplot as plt
import torch
from torch import nn
from autograder.learn import lesson
from autograder.learn.heatmap import heatmap
from autograder.learn.picture import picture

check, ask = lesson("02_qkv_projections", language="en")

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-opening-2", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ## 1. One matrix, many tokens
#
# A projection makes `d_out` new numbers out of a token's `d_in` numbers, each of them a weighted sum of all. The weights
# stand in a matrix `W` of shape `(d_in, d_out)`: **one row for each number that goes in, one column for each that comes
# out.** The same matrix serves every token. Tokens are rows here: `(T, d_in)` is a sentence, `(B, T, d_in)` a batch of
# sentences, and later a further axis will hold heads.
#
# **Predict.** With pencil and paper. Run the cell to see the question, and put your three numbers, as a list, in place of
# `...`. Once your function is written, run the cell again, and it compares the two.

# %%
ask("project_by_hand", answer=...)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-ask-project_by_hand", "locked": true, "schema_version": 3, "solution": false, "task": false}
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
# **Look.** Two sentences, 猫が寝る and 犬が寝る (*inu ga neru*, "the dog sleeps"), go through your function as one batch.
# Before you run the cell: which rows will be equal?

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-one_matrix_two_sentences", "locked": true, "schema_version": 3, "solution": false, "task": false}
torch.manual_seed(2)
tokens = "猫 (cat) / が (subject) / 寝る (sleeps)".split(" / ")
cat, ga, sleeps, dog = torch.randn(4, 8)  # a vector of 8 numbers for each word
x = torch.stack([cat, ga, sleeps])
batch = torch.stack([x, torch.stack([dog, ga, sleeps])])  # (2, 3, 8): two sentences
projected = project(batch, torch.randn(8, 4))  # (2, 3, 4)
rows = [f"{sentence}: {token}" for sentence in (1, 2) for token in tokens]
rows[3] = "2: " + "犬 (dog)"
columns = ["number" + f" {column}" for column in range(4)]
title = "Two sentences through your project: four new numbers for each token"
heatmap(projected.flatten(0, 1), rows, columns, title=title)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-one_matrix_two_sentences", "locked": true, "schema_version": 3, "solution": false, "task": false}
# A projection looks at one token at a time. が does not know whether a cat or a dog stands before it, and it will not know
# until the tokens look at each other.
#
# **Break it.** Three tokens of width three: now both orders of the product fit, and neither raises an error. We change が
# and measure how far each token's result moves. What would "one token at a time" look like, and which line is it?

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-tokens_get_mixed", "locked": true, "schema_version": 3, "solution": false, "task": false}
square = torch.randn(3, 3)
three_by_three = torch.randn(3, 3)  # three tokens of width 3: both orders fit
with_other_ga = three_by_three.clone()
with_other_ga[1] += 1.0  # only が changes
moved = [
    project(with_other_ga, square) - project(three_by_three, square),
    square @ with_other_ga - square @ three_by_three,
]
title = "How far the result of each token moves when が changes"
heatmap(torch.stack(moved).abs().amax(dim=-1), ["project(x, W)", "W @ x"], tokens, title=title)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-tokens_get_mixed", "locked": true, "schema_version": 3, "solution": false, "task": false}
# In the other line every token has moved, although only one was changed: that product adds up *tokens* instead of the
# numbers within a token. With five tokens of width three you would have got an error. Sizes that happen to agree keep
# mistakes quiet, so try your code with sizes that are all different.

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-tokens_get_mixed-2", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ## 2. Asking, being found, handing on
#
# In *self*-attention all three come from the same `x`: Q = XW_Q, K = XW_K, V = XW_V. "Self" means that the sentence looks
# at itself: each token asks all tokens, and at the same time each answers to all that ask, itself included.
#
# Queries and keys are going to be compared with each other, number by number, so they must have the same width `d_k`.
# Values are compared with nothing; they may have a width `d_v` of their own.
#
# **Predict.** This time choose a letter, and put it in quotes in place of `...`.

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
# **Look.** The table shows who finds whom interesting: the dot product of each token's query with each token's key, made
# with your function. Negative numbers mean "rather not". The matrices are drawn at random, so do not look for sense in
# it; look at the *pairs*. Compare the field 猫 → 寝る with the field 寝る → 猫.

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-who_asks_whom", "locked": true, "schema_version": 3, "solution": false, "task": false}
names = {"row_name": "who asks (query)", "column_name": "who is asked (key)"}
for_queries, for_keys = torch.randn(2, 8, 5) / 3
for_values = torch.randn(8, 3) / 3
queries, keys, values = qkv(x, for_queries, for_keys, for_values)
title = "Queries times keys: how much each token looks for each other one"
heatmap(queries @ keys.T, tokens, tokens, title=title, **names)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-who_asks_whom", "locked": true, "schema_version": 3, "solution": false, "task": false}
# It need not be mutual. That is as it should be: a verb may look hard for its subject, while the subject looks for
# something else.
#
# **Self or cross?** A translator has read 猫が寝る and has written "The cat" so far. What it writes next depends on both, so
# the English tokens ask and the Japanese ones answer. That is *cross*-attention. The functions are the same; only what goes
# in is different.

# %%
ask("cross_results", answer=...)

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-from_another_sentence", "locked": true, "schema_version": 3, "solution": false, "task": false}
written = "The / cat".split(" / ")  # what the translator has written so far
written_x = torch.randn(2, 8)
asking, _, _ = qkv(written_x, for_queries, for_keys, for_values)
_, found_by, handed_on = qkv(x, for_queries, for_keys, for_values)
title = "What is being written asks, what was read answers"
heatmap(asking @ found_by.T, written, tokens, title=title, **names)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-from_another_sentence", "locked": true, "schema_version": 3, "solution": false, "task": false}
# **Break it.** Why not save a matrix and use one for questions and cards? Think first about the diagonal, where a token
# meets itself.

# %%
ask("diagonal_of_one_matrix", answer=...)

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-one_matrix_for_both", "locked": true, "schema_version": 3, "solution": false, "task": false}
queries, keys, values = qkv(x, for_queries, for_queries, for_values)
title = "The same, with one matrix for queries and keys"
heatmap(queries @ keys.T, tokens, tokens, title=title, **names)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-one_matrix_for_both", "locked": true, "schema_version": 3, "solution": false, "task": false}
# Each pair of fields across the diagonal is now equal: whoever looks for somebody is looked for just as much. And the
# diagonal holds squares. Could training not make up for it? Let six words learn to find each other in a ring: each is to
# look for the next one, and the last for the first. The loss says how badly they do; 0 is perfect. (Its unit, the nat, only
# says that the logarithm is the natural one: guessing among six costs ln 6 = 1.79.)

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-learning_with_one_matrix", "locked": true, "schema_version": 3, "solution": false, "task": false}
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
axes.plot(training(shared=True), "--", label="one matrix for queries and keys")
axes.plot(training(shared=False), label="two matrices")
axes.axhline(math.log(6), color="k", linestyle=":", label="guessing among six")
axes.set(xlabel="training step", ylabel="loss (nats per word)", ylim=(0, 2.5))
axes.legend(loc="right", bbox_to_anchor=(1, 0.4))
picture(figure,
    "Two curves of the loss over 300 training steps. With two matrices it falls to 0 within 40 "
    "steps. With one matrix for queries and keys it stays near 1.5, a little below the dotted line "
    "of guessing at 1.79."
)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-learning_with_one_matrix", "locked": true, "schema_version": 3, "solution": false, "task": false}
# With two matrices that is learnt in no time. With one it hardly gets better than guessing among six, however long you
# wait. In a ring, "I look for you" must not mean "you look for me", and that is the very thing that one matrix cannot
# say. If the values went through it as well, each word could also only hand on exactly what it is found by.
#
# > **`mha(x, x, x)` is not three times the same.** In PyTorch's documentation you meet this call, which looks as if query,
# > key and value were equal. What you hand over is only what they are *made from*. The three matrices are inside, stacked
# > on top of each other.

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-inside_mha", "locked": true, "schema_version": 3, "solution": false, "task": false}
mha = nn.MultiheadAttention(8, num_heads=1, bias=False)
for name, weight in mha.named_parameters():
    print(f"{name:16}", tuple(weight.shape))

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-inside_mha", "locked": true, "schema_version": 3, "solution": false, "task": false}
# Which part of those 24 rows makes the queries? (And what is the second matrix for? That is for `05_multi_head`.)
#
# > **"Question, card, content" are roles, not meanings.** It is tempting to read a query as a sentence such as "I am a
# > verb, where is my subject?", and a single column as "how plural it is". Nobody decides what these numbers mean. Training
# > finds matrices that make the predictions better, and most columns have no name in any human language.
#
# You can see it for yourself. We turn all queries and all keys by one and the same rotation, before anybody compares them.

# %%
ask("turned_together", answer=...)

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-turned_together", "locked": true, "schema_version": 3, "solution": false, "task": false}
turn, _ = torch.linalg.qr(torch.randn(5, 5))  # keeps every length and every angle
queries, keys, _ = qkv(x, for_queries, for_keys, for_values)
turned_queries, turned_keys, _ = qkv(x, for_queries @ turn, for_keys @ turn, for_values)
change = (turned_queries @ turned_keys.T - queries @ keys.T).abs().max()
print("largest change of any score:", f"{change:.5f}")
columns = ["number" + f" {column}" for column in range(5)]
rows = ["before", "after the rotation"]
title = "The query of 猫"
heatmap(torch.stack([queries[0], turned_queries[0]]), rows, columns, title=title)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-turned_together", "locked": true, "schema_version": 3, "solution": false, "task": false}
# Five other numbers, and not one score has changed. Infinitely many pairs of matrices make the same attention, so a
# single column of Q cannot have a meaning of its own.

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-turned_together-2", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ## 3. The same thing in PyTorch
#
# `nn.Linear(d_in, d_out)` is a projection that carries its own matrix, and usually a bias too.
#
# > **It stores the matrix the other way round.** Its `weight` has the shape `(d_out, d_in)`, one row for each *output*. In
# > this course a `W_Q` that is handed to a function is `(in, out)`, and a `W_Q` inside a class is an `nn.Linear`.
#
# **Predict.** What happens to somebody who does not know that?

# %%
ask("square_weight", answer=...)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-ask-square_weight", "locked": true, "schema_version": 3, "solution": false, "task": false}
# Write a function that gives the matrix of a layer in our orientation. In training, PyTorch walks back through the whole
# computation and finds out for each weight which way to nudge it so that the loss falls. That is the weight's *gradient*.
# It must still arrive at the layer when somebody computes with your matrix, so think about which ways of copying numbers
# would cut the connection.

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
# **Look.** A layer from 4 to 2, with your matrix. Four rows, because four numbers go in.

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-two_orientations", "locked": true, "schema_version": 3, "solution": false, "task": false}
linear = nn.Linear(4, 2)
print("linear.weight       ", tuple(linear.weight.shape))
print("matrix_of(linear)   ", tuple(matrix_of(linear).shape))
rows = ["in" + f" {number}" for number in range(4)]
columns = ["out" + f" {number}" for number in range(2)]
title = "Your matrix of nn.Linear(4, 2)"
heatmap(matrix_of(linear), rows, columns, title=title)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-two_orientations", "locked": true, "schema_version": 3, "solution": false, "task": false}
# **Break it.** Now the weight is used as it lies in the layer, once where the sizes agree and once where they do not.

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-no_error_where_sizes_agree", "locked": true, "schema_version": 3, "solution": false, "task": false}
for d_in, d_out in ((3, 3), (4, 2)):
    linear = nn.Linear(d_in, d_out, bias=False)
    some_x = torch.randn(5, d_in)
    print(f"nn.Linear({d_in}, {d_out})")
    candidates = {"matrix_of(linear)": matrix_of(linear), "linear.weight": linear.weight}
    for name, matrix in candidates.items():
        try:
            gap = (project(some_x, matrix) - linear(some_x)).abs().max()
            print(f"  {name:18}", "differs from the layer by", f"{gap:.2f}")
        except (RuntimeError, ValueError, IndexError) as error:
            print(f"  {name:18}", f"{type(error).__name__}: {error}")

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-no_error_where_sizes_agree", "locked": true, "schema_version": 3, "solution": false, "task": false}
# The error is the friendly case. The other one trains, saves, loads, and gives other numbers than it should.
#
# Now the three projections as a layer of their own. The names `W_Q`, `W_K` and `W_V` are part of the task: weights are
# saved and loaded by name. The line that calls `super().__init__()` stays where it is; without it PyTorch lets no
# layers in.

# %%
ask("numbers_to_train", answer=...)

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
# **Look.** All that you have written so far, at one table. The layer projects 猫が寝る, and your functions do the same with
# the matrices that they take out of the layer. The cell lists what a saved file of the layer would hold, and then how far
# the two results are apart (rounding aside).

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-layer_and_functions", "locked": true, "schema_version": 3, "solution": false, "task": false}
layer = QKVProjection(8, 5, 3)
for name, weight in layer.state_dict().items():
    print(name, tuple(weight.shape))
matrices = [matrix_of(linear) for linear in (layer.W_Q, layer.W_K, layer.W_V)]
pairs = zip(layer(x), qkv(x, *matrices), strict=True)
gaps = [(one - other).abs().max().item() for one, other in pairs]
title = "Your layer and your functions"
heatmap([gaps], ["largest difference"], ["Q", "K", "V"], title=title)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-layer_and_functions", "locked": true, "schema_version": 3, "solution": false, "task": false}
# **Break it.** A layer that keeps its parts in a plain Python list works just as well, at first. But PyTorch finds what is
# to be trained by looking at the attributes of a module, and it does not look into lists.

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-layers_in_a_list", "locked": true, "schema_version": 3, "solution": false, "task": false}
class Forgetful(nn.Module):
    """Keeps its layers where PyTorch does not look."""

    def __init__(self):
        super().__init__()
        self.layers = [nn.Linear(8, 5), nn.Linear(8, 3)]


for module in (QKVProjection(8, 5, 3), Forgetful()):
    numbers = sum(parameter.numel() for parameter in module.parameters())
    print(f"{type(module).__name__:14}", "numbers to train:", numbers)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-layers_in_a_list", "locked": true, "schema_version": 3, "solution": false, "task": false}
# As part of a larger model, such a layer would keep the numbers that it was born with while everything around it is
# trained, and no error would say so. (`nn.ModuleList` is the list into which PyTorch does look.)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-layers_in_a_list-2", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ## 4. Where am I?
#
# Every token has been treated alike so far, and that has a price.
#
# **Predict.** We shuffle the three words and project again.

# %%
ask("who_notices", answer=...)

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-order_is_invisible", "locked": true, "schema_version": 3, "solution": false, "task": false}
order = [2, 0, 1]
columns = [tokens[place] for place in order]


def differences(one, other):
    """How far each token's Q, K and V in the shuffled sentence are from what they were."""
    pairs = zip(qkv(one, *matrices), qkv(other, *matrices), strict=True)
    return torch.stack([(new - old[order]).abs().amax(dim=-1) for new, old in pairs])


title = "How much the numbers of each token differ after shuffling"
heatmap(differences(x[order], x), ["Q", "K", "V"], columns, title=title)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-order_is_invisible", "locked": true, "schema_version": 3, "solution": false, "task": false}
# The rows come out in another order, and that is all: every token has exactly the numbers it had before. "Dog bites man"
# and "man bites dog" would be the same three tokens. The place of a token must therefore be written *into* its vector,
# before any projection.
#
# One classic way adds a row of sines and cosines. Think of clocks: each pair of columns is one hand, the first turns fast,
# the last hardly moves, and together they tell the position, as hour, minute and second tell the time.
#
# > **Why not simply add 0, 1, 2, 3, …?** At position 5000 the position would be all that is left of the token. Sines and
# > cosines stay between -1 and 1, wherever you are.
#
# **Predict.** All hands start together. What does the very first row look like?

# %%
ask("position_zero", answer=...)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-ask-position_zero", "locked": true, "schema_version": 3, "solution": false, "task": false}
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
# **Look.** First, four columns of your table, as curves.

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-clock_hands", "locked": true, "schema_version": 3, "solution": false, "task": false}
hands = sinusoidal_positions(40, 16)
figure, axes = plt.subplots(figsize=(6.5, 3.5))
for column, style in ((0, ".-"), (2, "--"), (4, "-."), (8, ":")):
    axes.plot(hands[:, column], style, label="column" + f" {column}")
axes.set(xlabel="position", ylabel="value")
axes.legend(loc="upper left", bbox_to_anchor=(1, 1))
picture(figure,
    "Four columns of the table over 40 positions. Column 0 swings up and down more than six times, "
    "column 2 twice, column 4 a good half, column 8 only begins to rise."
)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-clock_hands", "locked": true, "schema_version": 3, "solution": false, "task": false}
# Column 0 comes round every six positions or so: alone, it could hardly tell position 1 from position 7. Column 8 has only
# begun to move after forty positions: alone, it could hardly tell position 1 from position 2.
#
# Now the whole table for 64 positions, seen from above. Each row is what is added to the token at that place. Where the
# hands hardly move, on the right, sines near 0 and cosines near 1 make stripes.

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-position_map", "locked": true, "schema_version": 3, "solution": false, "task": false}
figure, axes = plt.subplots(figsize=(6.5, 4))
shown = axes.imshow(sinusoidal_positions(64, 32), cmap="RdBu", aspect="auto")
axes.set(xlabel="column", ylabel="position")
figure.colorbar(shown, label="value")
picture(figure,
    "The table as a map: 64 positions downwards, 32 columns to the right. The columns on the left "
    "change from row to row, those on the right hardly change from top to bottom."
)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-position_map", "locked": true, "schema_version": 3, "solution": false, "task": false}
# No two rows are alike. There is more: let the rows of two places look at all the others, by a dot product.

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-near_and_far", "locked": true, "schema_version": 3, "solution": false, "task": false}
table = sinusoidal_positions(64, 32)
figure, axes = plt.subplots(figsize=(6.5, 3))
for place, style in ((20, "-"), (40, "--")):
    axes.plot(table @ table[place], style, label="seen from position" + f" {place}")
axes.set(xlabel="position", ylabel="dot product of two rows")
axes.legend(loc="upper left", bbox_to_anchor=(1, 1))
picture(figure,
    "Two curves with the same shape: each is highest, 16, at its own position, 20 or 40, falls off "
    "quickly to both sides, and then sways between 6 and 12."
)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-near_and_far", "locked": true, "schema_version": 3, "solution": false, "task": false}
# Each place finds itself first and then its neighbours, and the two curves have the same shape, only shifted. What counts
# is how far apart two places are, not where they stand. So a query has something by which to look for "the word before me".
#
# **Break it.** A model that writes gets one new token at a time, and its position comes with it. Here six rows are made one
# by one, once with `start` and once without. How far is each from the row it should be?

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-restarted", "locked": true, "schema_version": 3, "solution": false, "task": false}
whole = sinusoidal_positions(6, 8)
with_start = torch.cat([sinusoidal_positions(1, 8, start=place) for place in range(6)])
without_start = torch.cat([sinusoidal_positions(1, 8) for _ in range(6)])
gaps = torch.stack([with_start - whole, without_start - whole]).abs().amax(dim=-1)
columns = ["position" + f" {place}" for place in range(6)]
title = "How far each row is from the row of the whole table"
heatmap(gaps, ["one by one, with start", "one by one, without start"], columns, title=title)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-restarted", "locked": true, "schema_version": 3, "solution": false, "task": false}
# Without `start`, every token believes itself to be the first. Nothing fails; the text only gets worse and worse.
#
# And now once more the experiment from above, this time with positions: the row of place 0 is added to whatever stands
# first, and so on.

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-order_is_visible", "locked": true, "schema_version": 3, "solution": false, "task": false}
places = sinusoidal_positions(3, 8)
columns = [tokens[place] for place in order]
title = "The same after positions were added: how much the numbers of each token differ"
heatmap(differences(x[order] + places, x + places), ["Q", "K", "V"], columns, title=title)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-order_is_visible", "locked": true, "schema_version": 3, "solution": false, "task": false}
# The same three words, the same matrices, and none of the numbers is 0. Q, K and V know now where they are.
#
# > **Adding does not spoil the token.** The sum is one vector, and nobody can say which part of it came from the word and
# > which from the place. It need not be possible: the matrices are trained on such sums, and learn to use from them what
# > helps.

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-order_is_visible-2", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ## In three sentences
#
# From the same token three matrices make a query (what it looks for), a key (what it is found by) and a value (what it
# hands on). One matrix for two roles would force them to be the same, and no training could tell them apart. Projections
# treat every token alike, so where a token stands has to be added from outside.

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-order_is_visible-3", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ## In your own words
#
# Somebody who has just read `mha(x, x, x)` says: "Query, key and value are the same thing three times." What do you
# answer, in three to five sentences? Say as well what would go wrong if they were.

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": true, "grade_id": "write-three_times_the_same", "locked": false, "points": 0, "schema_version": 3, "solution": true, "task": false}
# *Write your answer here.*

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-write-three_times_the_same", "locked": true, "schema_version": 3, "solution": false, "task": false}
# Next, in `03_scaled_dot_product`, queries and keys are compared in earnest, and the values are mixed.
