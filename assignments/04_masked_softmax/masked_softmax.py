# ---
# jupyter:
#   attn:
#     assignment: 04_masked_softmax
#     version: 1
#     language: en
#   kernelspec:
#     display_name: Python 3 (ipykernel)
#     language: python
#     name: python3
# ---

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-opening", "locked": true, "schema_version": 3, "solution": false, "task": false}
# # Who may look at whom?
#
# You test yourself on a list of words and cover the column with the answers. Why? Because with the answers in view you
# would score full marks and learn nothing. A model that is trained to predict the next word is in the same position: the
# next word stands right there in the training sentence. **How do you cover it, for every position of every sentence at
# once?**
#
# Our sentence is 猫が寝る (*neko ga neru*, "the cat sleeps"), in three tokens: 猫 (cat), が (marks the subject), 寝る
# (sleeps).
#
# After this lesson you can
#
# * say, before running anything, which entries of a causal mask are `True`;
# * write a softmax in which hidden keys take no part, and which survives a row that may look at nothing;
# * explain why hiding comes *before* the softmax and not after it;
# * tell the two reasons for hiding apart, the future and the padding, and use both at once.
#
# Run the cells from the top. Each answer cell says what is wanted; replace the line that raises an error, run the cell,
# then run the check below it. When you come back another day, run everything from the top again.

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "lesson-setup", "locked": true, "schema_version": 3, "solution": false, "task": false}
import math
import torch
from torch import Tensor
from autograder.learn import lesson
from autograder.learn.heatmap import heatmap

check, ask = lesson("04_masked_softmax", language="en")

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-opening-2", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ## 1. The future
#
# Picture a table. **Each row is a token that looks (a query), each column is a token that is looked at (a key).** A mask
# is such a table of `True` and `False`, and one word of it decides everything:
#
# > **`True` means hidden.** So it does in this course and in `nn.MultiheadAttention`. In PyTorch's
# > `F.scaled_dot_product_attention` a `True` means the opposite: *this key may be seen*. No error warns you. Whenever you
# > hand a mask to someone else's function, first say aloud what `True` says there.
#
# In a causal mask each token sees itself and what came before. There is one twist. While a model writes, it often
# computes only the newest tokens, although they look back at all the earlier ones: one query, seven keys. The queries are
# then the *last* of the keys' positions, and so the last query always sees every key.
#
# **Predict.** Before you write it, take a piece of paper and draw the mask for four tokens. Then run the next cell: it asks
# you about one row. Put your prediction in place of `...`. Once your function is written, run the cell again, and it
# compares the two.

# %%
ask("causal_mask_row", answer=...)

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "causal_mask", "locked": false, "schema_version": 3, "solution": true, "task": false}
def causal_mask(
    n_queries: int,
    n_keys: int | None = None,
    device: torch.device | str | None = None,
) -> Tensor:
    """Which keys come after each query. True = hidden.

    n_queries, n_keys -> bool (n_queries, n_keys); n_keys is n_queries unless given.
    The queries are the last n_queries of the n_keys positions: the last query sees every key.
    The mask lies on `device`.

    causal_mask(3) -> [[False,  True,  True],
                       [False, False,  True],
                       [False, False, False]]
    """
    raise NotImplementedError

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "check-causal_mask", "locked": true, "points": 3.0, "schema_version": 3, "solution": false, "task": false}
check(causal_mask)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-check-causal_mask", "locked": true, "schema_version": 3, "solution": false, "task": false}
# Here is your mask for the three tokens. Read each row aloud: "猫 may not look at が …". Which row hides nothing? If your
# answer is "the first one", rows and columns have changed places in your head; that happens to nearly everyone once.

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-causal_mask_picture", "locked": true, "schema_version": 3, "solution": false, "task": false}
tokens = "猫 (cat) / が (subject) / 寝る (sleeps)".split(" / ")
names = {"row_name": "who looks (query)", "column_name": "who is looked at (key)"}
title = "Your causal mask: True = hidden"
heatmap(causal_mask(3), tokens, tokens, title=title, **names)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-causal_mask_picture", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ## 2. The padding
#
# Sentences in a batch differ in length, but a tensor is a rectangle, so short sentences are filled up. The filling has
# numbers like everything else, and attention would gladly mix them in. `lengths` says how many tokens of each sentence
# are real.
#
# Padding is hidden from all queries of its sentence alike. That is why the mask has the shape `(B, 1, n_keys)`: the axis
# of size 1 stands for all the queries.

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "padding_mask", "locked": false, "schema_version": 3, "solution": true, "task": false}
def padding_mask(lengths: Tensor, n_keys: int) -> Tensor:
    """Which keys are padding. True = hidden.

    lengths: integers (B,), each 0 ... n_keys -> bool (B, 1, n_keys) on the device of lengths.
    The axis of size 1 stands for the queries: padding is hidden from all of them alike.

    padding_mask(torch.tensor([2, 3]), 3) -> [[[False, False, True]], [[False, False, False]]]
    """
    raise NotImplementedError

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "check-padding_mask", "locked": true, "points": 3.0, "schema_version": 3, "solution": false, "task": false}
check(padding_mask)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-check-padding_mask", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ## 3. A softmax that leaves some out
#
# Softmax turns the scores of a row into shares that sum to 1. Now some of the keys must get exactly nothing, while the
# others share the whole. Look first at what happens to somebody who hides too late, after the softmax has handed out its
# shares:

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-hidden_too_late", "locked": true, "schema_version": 3, "solution": false, "task": false}
scores = torch.tensor([[2.0, 1.0, 0.0], [2.0, 1.0, 0.0]])
keep = torch.tensor([[1.0, 1.0, 1.0], [1.0, 0.0, 1.0]])
too_late = scores.softmax(dim=-1) * keep
with_sums = torch.cat([too_late, too_late.sum(dim=-1, keepdim=True)], dim=-1)
columns = ["key 0", "key 1", "key 2", "sum"]
rows = ["nothing hidden", "key 1 hidden too late"]
title = "Hidden after the softmax: the weights of one query, and their sum"
heatmap(with_sums, rows, columns, title=title)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-hidden_too_late", "locked": true, "schema_version": 3, "solution": false, "task": false}
# The sums say it all: what went to the hidden keys is lost. There is more. Raise a hidden score, and the visible weights
# shrink, although nobody was allowed to look there. So hiding must come first, and the question becomes: *what would a
# score have to be for its exponential to be exactly 0?*
#
# Two more things to think about before you write:
#
# * Scores may be 1000 or -1000. A softmax only depends on the *differences* within a row.
# * A row may have nothing to look at. Dividing 0 by 0 gives NaN, and one NaN spreads through sums and gradients to the
#   whole model. In this course such a row gets zeros.

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "masked_softmax", "locked": false, "schema_version": 3, "solution": true, "task": false}
def masked_softmax(scores: Tensor, mask: Tensor | None = None) -> Tensor:
    """Softmax over the last axis, in which hidden keys take no part.

    scores (..., n_q, n_k), mask bool, broadcasts to the scores, True = hidden
    -> weights (..., n_q, n_k).
    Hidden keys get exactly 0 and the visible ones of a row sum to 1.
    A row in which everything is hidden is 0 everywhere, and its gradients are finite.

    masked_softmax(torch.tensor([[1., 1., 9.]]), torch.tensor([[False, False, True]]))
    -> [[0.5, 0.5, 0.0]]
    """
    raise NotImplementedError

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "check-masked_softmax", "locked": true, "points": 6.0, "schema_version": 3, "solution": false, "task": false}
check(masked_softmax)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-check-masked_softmax", "locked": true, "schema_version": 3, "solution": false, "task": false}
# **Break it.** Below, the score of a hidden key climbs from 0 to 1000. What should the visible weights do meanwhile? Say
# it before you run the cell.

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-loud_hidden_key", "locked": true, "schema_version": 3, "solution": false, "task": false}
loudness = [0.0, 10.0, 100.0, 1000.0]
loud_scores = torch.tensor([[2.0, loud, 0.0] for loud in loudness])
loud_weights = masked_softmax(loud_scores, mask=torch.tensor([False, True, False]))
rows = ["hidden score" + f" {loud:g}" for loud in loudness]
title = "Your weights while the score of the hidden key 1 climbs"
heatmap(loud_weights, rows, columns[:3], title=title)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-loud_hidden_key", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ## 4. Attention with a mask
#
# Scores are dot products of queries and keys, divided by √d_k (without that, wide vectors make the softmax choose a single
# key). Your softmax turns them into weights, and the weights mix the values. The one new thing is that the mask comes
# along.

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "masked_attention", "locked": false, "schema_version": 3, "solution": true, "task": false}
def masked_attention(
    Q: Tensor,
    K: Tensor,
    V: Tensor,
    mask: Tensor | None = None,
) -> tuple[Tensor, Tensor]:
    """Scaled dot-product attention in which each query mixes only the values it may see.

    Q (..., n_q, d_k), K (..., n_k, d_k), V (..., n_k, d_v), mask bool, True = hidden
    -> (output (..., n_q, d_v), weights (..., n_q, n_k));
    the scores are divided by the square root of d_k.
    A query that sees nothing gets an output of zeros.
    """
    raise NotImplementedError

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "check-masked_attention", "locked": true, "points": 4.0, "schema_version": 3, "solution": false, "task": false}
check(masked_attention)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-check-masked_attention", "locked": true, "schema_version": 3, "solution": false, "task": false}
# The picture shows your weights for the three tokens, with the future hidden. The first row has only one possibility, and
# you can predict it without knowing a single score.

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-weights_picture", "locked": true, "schema_version": 3, "solution": false, "task": false}
torch.manual_seed(4)
queries, keys, values = torch.randn(3, 5), torch.randn(3, 5), torch.randn(3, 2)
_, seen = masked_attention(queries, keys, values, mask=causal_mask(3))
title = "Your weights, with the future hidden"
heatmap(seen, tokens, tokens, title=title, **names)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-weights_picture", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ## 5. The tokens look at each other
#
# Now the pieces come together: make queries, keys and values from the tokens, build the masks that were asked for, and
# attend. Both reasons for hiding may hold at once, and a key is hidden if *either* says so.
#
# > **Padding hides keys, not queries.** The rows that belong to padded positions are computed like any other. Nobody reads
# > them later, so there is nothing to protect, and leaving them alone keeps the code simple.

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "self_attention", "locked": false, "schema_version": 3, "solution": true, "task": false}
def self_attention(
    x: Tensor,
    W_Q: Tensor,
    W_K: Tensor,
    W_V: Tensor,
    causal: bool = False,
    lengths: Tensor | None = None,
) -> tuple[Tensor, Tensor]:
    """The tokens of x look at each other.

    x (B, T, d_model), W_Q and W_K (d_model, d_k), W_V (d_model, d_v)
    -> (output (B, T, d_v), weights (B, T, T)).
    causal=True hides later tokens; lengths, integers (B,), hide padding.
    Both may be asked for at once.
    Padding is hidden as a key only: the rows of padded queries are computed like any other.
    """
    raise NotImplementedError

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "check-self_attention", "locked": true, "points": 4.0, "schema_version": 3, "solution": false, "task": false}
check(self_attention)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-check-self_attention", "locked": true, "schema_version": 3, "solution": false, "task": false}
# **Break it.** We change the last token, 寝る, to something quite different, and measure how much the output of each token
# moves. In which row of the table may the first two tokens move, and in which may they not?

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-the_last_word_changes", "locked": true, "schema_version": 3, "solution": false, "task": false}
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
title = "How far each token's output moves when the last token changes"
heatmap(torch.stack(moved), rows, tokens, title=title)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-the_last_word_changes", "locked": true, "schema_version": 3, "solution": false, "task": false}
# That is also the test to remember for a model of your own: *change something late and see whether anything early moves.*
# It finds a leak of the future without looking at any code.
#
# Do not conclude that hiding is good and seeing is bad. A model that writes text must not see what comes next, since it
# will not have it later either. A model that reads a finished text, to classify it or to find a name in it, should look in
# both directions. They have different aims.

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-the_last_word_changes-2", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ## In three sentences
#
# A mask says for each query which keys are hidden, and here `True` hides. Hiding comes before the softmax, so that the
# visible keys share the whole weight and the hidden ones have no influence at all. The future is hidden because it will
# not be there when the model writes, and padding is hidden because it was never said.

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-the_last_word_changes-3", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ## In your own words
#
# A friend says: "Hiding the future throws information away. A model that looks in both directions is always better." What
# do you answer, in three to five sentences, and with which example?

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": true, "grade_id": "write-both_directions", "locked": false, "points": 0, "schema_version": 3, "solution": true, "task": false}
# *Write your answer here.*

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-write-both_directions", "locked": true, "schema_version": 3, "solution": false, "task": false}
# Next, in `05_multi_head`, the tokens look at each other in several ways at once, and the masks get one more axis.
