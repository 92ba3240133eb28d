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
# * write a softmax in which hidden keys take no part, and which survives a query that sees nothing;
# * hand a mask to PyTorch's functions without having it read the wrong way round;
# * tell the two reasons for hiding apart, the future and the padding, and use both at once;
# * recognise a model that was trained with the answers in view, and check any mask on a small example.
#
# You need what a softmax and an attention are: dot products of queries and keys, divided by √d_k, become weights, and the
# weights mix the values.
#
# Run the cells from the top. Each answer cell says what is wanted; replace the line that raises an error, run the cell,
# then run the check below it. When you come back another day, run everything from the top again.

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "lesson-setup", "locked": true, "schema_version": 3, "solution": false, "task": false}
import math
import matplotlib.pyplot as plt
import torch
from torch import Tensor
from torch.nn.functional import scaled_dot_product_attention
from autograder.learn import lesson
from autograder.learn.heatmap import heatmap
from autograder.learn.picture import picture
from helpers import WORDS, bare_mha, loss_of, loss_while_writing, sentences, trained

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
# then the *last* of the keys' positions, and so the last query always sees every key. (Where there are more queries than
# keys, the first of them stand before all keys and see nothing.)
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
    Where there are more queries than keys, the first of them come before every key and see none.
    The mask lies on `device`.

    causal_mask(3) -> [[False,  True,  True],
                       [False, False,  True],
                       [False, False, False]]
    """
    raise NotImplementedError

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "check-causal_mask", "locked": true, "points": 3.0, "schema_version": 3, "solution": false, "task": false}
check(causal_mask)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-check-causal_mask", "locked": true, "schema_version": 3, "solution": false, "task": false}
# **Look.** Here is your mask for the three tokens. Read each row aloud: "猫 may not look at が …". Which row hides nothing?
# If your answer is "the first one", rows and columns have changed places in your head; that happens to nearly everyone
# once.

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-causal_mask_picture", "locked": true, "schema_version": 3, "solution": false, "task": false}
tokens = "猫 (cat) / が (subject) / 寝る (sleeps)".split(" / ")
names = {"row_name": "who looks (query)", "column_name": "who is looked at (key)"}
title = "Your causal mask: True = hidden"
heatmap(causal_mask(3), tokens, tokens, title=title, **names)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-causal_mask_picture", "locked": true, "schema_version": 3, "solution": false, "task": false}
# > **Does a token see itself?** Yes. It predicts what comes *after* it, so it is no answer to its own question. A mask that
# > hides the diagonal as well leaves the first token with nothing to look at.
#
# **Break it.** Now two new queries, 寝る and a full stop, look back at four keys. First your mask, then one for which somebody
# counted the queries from the start instead of the end.

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-two_new_queries", "locked": true, "schema_version": 3, "solution": false, "task": false}
four_tokens = [*tokens, "。"]
title = "Your mask for two new queries and four keys: True = hidden"
heatmap(causal_mask(2, n_keys=4), four_tokens[2:], four_tokens, title=title, **names)

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-counted_from_the_start", "locked": true, "schema_version": 3, "solution": false, "task": false}
title = "The same two queries, counted from the start"
heatmap(causal_mask(4)[:2], four_tokens[2:], four_tokens, title=title, **names)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-counted_from_the_start", "locked": true, "schema_version": 3, "solution": false, "task": false}
# Read the second table aloud as well. The full stop may not see itself, nor the word before it, and nothing about the
# shapes gives that away. (The flag `is_causal=True` of `F.scaled_dot_product_attention` counts in this second way. With as
# many queries as keys the two are the same, and so the difference stays unnoticed until the model begins to write.)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-counted_from_the_start-2", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ## 2. The padding
#
# The sentences of a batch (in general: its *sequences*) differ in length, but a tensor is a rectangle, so short ones are
# filled up. This is the *padding*. It holds numbers like everything else, and attention would gladly mix them in.
# `lengths` says how many tokens of each sentence are real.
#
# Padding is hidden from all queries of its sentence alike. That is why the mask has the shape `(B, 1, n_keys)`: the axis
# of size 1 stands for all the queries.
#
# **Predict.** Which positions are padding?

# %%
ask("padding_row", answer=...)

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
# **Look.** Four sentences: 猫が寝る。 ("the cat sleeps."), 走れ。 ("run."), はい ("yes"), 犬は走る ("the dog runs"). Mind the rows:
# here a row is a whole sentence. Where does the hiding begin in each, and does it matter who looks?

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-padding_picture", "locked": true, "schema_version": 3, "solution": false, "task": false}
four_sentences = "猫 が 寝る 。 / 走れ 。 / はい / 犬 は 走る".split(" / ")
lengths = torch.tensor([4, 2, 1, 3])
hides_padding = padding_mask(lengths, 4)  # (4, 1, 4)
columns = ["key" + f" {number}" for number in range(4)]
title = "Your padding mask, one row for each sentence: True = hidden"
heatmap(hides_padding[:, 0], four_sentences, columns, title=title)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-padding_picture", "locked": true, "schema_version": 3, "solution": false, "task": false}
# **Break it.** What if somebody leaves out the axis of size 1? The mask is then `(B, n_keys)`, and the last two axes of the
# scores are `(n_queries, n_keys)`. Here there happen to be four sentences and four queries. The cell shows what becomes of
# the first sentence, in which every token is real.

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-axis_left_out", "locked": true, "schema_version": 3, "solution": false, "task": false}
nothing_hidden = torch.zeros(4, 4, 4, dtype=torch.bool)  # four sentences, four queries, four keys
spread = nothing_hidden | hides_padding[:, 0]  # the axis for the queries is left out
rows = ["query" + f" {number}" for number in range(4)]
title = "The first sentence, which has no padding: True = hidden"
heatmap(spread[0], rows, columns, title=title)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-axis_left_out", "locked": true, "schema_version": 3, "solution": false, "task": false}
# Row after row, the queries of one sentence got the padding of four different sentences. With three sentences there would
# have been an error; with four there is none.

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-axis_left_out-2", "locked": true, "schema_version": 3, "solution": false, "task": false}
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
rows = ["nothing hidden", "key 1 hidden too late"]
title = "Hidden after the softmax: the weights of one query, and their sum"
heatmap(with_sums, rows, [*columns[:3], "sum"], title=title)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-hidden_too_late", "locked": true, "schema_version": 3, "solution": false, "task": false}
# The sums say it all: what went to the hidden keys is lost. There is more. Raise a hidden score, and the visible weights
# shrink, although nobody was allowed to look there. So hiding must come first, and the question becomes: *what would a
# score have to be for its exponential to be exactly 0?*
#
# > **"A very negative number will do."** -1e9 does, until a query sees nothing: then all scores of its row are equally
# > low, and the hidden keys share the whole weight among them.
#
# **Predict.** Shares among those that are left.

# %%
ask("shares_of_the_visible", answer=...)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-ask-shares_of_the_visible", "locked": true, "schema_version": 3, "solution": false, "task": false}
# Two more things to think about before you write:
#
# * Scores may be 1000 or -1000. A softmax only depends on the *differences* within a row.
# * A query may see nothing, because its whole row is hidden. Dividing 0 by 0 gives NaN ("not a number"), and one NaN spreads through sums and
#   gradients to the whole model. In this course such a query gets zeros.

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "masked_softmax", "locked": false, "schema_version": 3, "solution": true, "task": false}
def masked_softmax(scores: Tensor, mask: Tensor | None = None) -> Tensor:
    """Softmax over the last axis, in which hidden keys take no part.

    scores (..., n_q, n_k), mask bool, broadcasts to the scores, True = hidden
    -> weights (..., n_q, n_k).
    Hidden keys get exactly 0 and the visible ones of a row sum to 1.
    A row in which everything is hidden is 0 everywhere, and its gradients are finite.
    The weights keep the dtype of the scores.

    masked_softmax(torch.tensor([[1., 1., 9.]]), torch.tensor([[False, False, True]]))
    -> [[0.5, 0.5, 0.0]]
    """
    raise NotImplementedError

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "check-masked_softmax", "locked": true, "points": 6.0, "schema_version": 3, "solution": false, "task": false}
check(masked_softmax)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-check-masked_softmax", "locked": true, "schema_version": 3, "solution": false, "task": false}
# **Look.** Below, the score of a hidden key climbs from 0 to 1000. What should the visible weights do meanwhile? Say
# it before you run the cell.

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-loud_hidden_key", "locked": true, "schema_version": 3, "solution": false, "task": false}
loudness = [0.0, 10.0, 100.0, 1000.0]
loud_scores = torch.tensor([[2.0, loud, 0.0] for loud in loudness])
loud_weights = masked_softmax(loud_scores, mask=torch.tensor([False, True, False]))
rows = ["hidden score" + f" {loud:g}" for loud in loudness]
title = "Your weights while the score of the hidden key 1 climbs"
heatmap(loud_weights, rows, columns[:3], title=title)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-loud_hidden_key", "locked": true, "schema_version": 3, "solution": false, "task": false}
# **Break it.** Now to the large negative number once more. A model hides with -1e9, and all is well in float32. To save
# memory, somebody switches it to one of the half-precision types, in which a number takes two bytes instead of four.

# %%
ask("fill_in_float16", answer=...)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-ask-fill_in_float16", "locked": true, "schema_version": 3, "solution": false, "task": false}
# The cell asks each type for its lowest number, and what it keeps of a -1e9.

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-lowest_numbers", "locked": true, "schema_version": 3, "solution": false, "task": false}
types = (torch.float32, torch.bfloat16, torch.float16)
stored = [[torch.finfo(dtype).min, torch.full((1,), -1e9, dtype=dtype).item()] for dtype in types]
title = "How low the numbers of a type go"
heatmap(stored, types, ["lowest number", "-1e9 is kept as"], title=title)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-lowest_numbers", "locked": true, "schema_version": 3, "solution": false, "task": false}
# Half precision comes in two kinds. bfloat16 gave up digits and kept the range of float32; float16 kept more digits and
# ends at 65504. A fill that suits every type is made from the type itself, or is -inf.

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-lowest_numbers-2", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ## 4. Attention with a mask
#
# Scores are dot products of queries and keys, divided by √d_k (without that, wide vectors make the softmax choose a single
# key). Your softmax turns them into weights, and the weights mix the values. The one new thing is that the mask comes
# along.
#
# **Predict.** With equal scores, a weighted average is an ordinary average.

# %%
ask("three_averages", answer=...)

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
# **Look.** Your weights for the three tokens, with the future hidden. The first row has only one possibility, and you can
# predict it without knowing a single score. (A `0` is exactly nothing; `0.00` would be a little.)

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-weights_picture", "locked": true, "schema_version": 3, "solution": false, "task": false}
torch.manual_seed(4)
queries, keys, values = torch.randn(3, 1, 3, 5)
_, seen = masked_attention(queries, keys, values, mask=causal_mask(3))
title = "Your weights, with the future hidden"
heatmap(seen[0], tokens, tokens, title=title, **names)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-weights_picture", "locked": true, "schema_version": 3, "solution": false, "task": false}
# There are two steps before the softmax now, the division and the mask. Does their order matter?

# %%
ask("before_the_division", answer=...)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-ask-before_the_division", "locked": true, "schema_version": 3, "solution": false, "task": false}
# **Break it, first way.** We hand one and the same mask to PyTorch's functions. Remember what `True` says in each.

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-two_conventions", "locked": true, "schema_version": 3, "solution": false, "task": false}
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
title = "The same mask handed to PyTorch's functions"
heatmap(gaps, rows, ["largest difference from your output"], title=title)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-two_conventions", "locked": true, "schema_version": 3, "solution": false, "task": false}
# `~mask` swaps `True` and `False`. The line in the middle raised no error and gave a tensor of the right shape. What had it
# computed? Let your own function read the mask that way:

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-the_other_reading", "locked": true, "schema_version": 3, "solution": false, "task": false}
_, seen = masked_attention(queries, keys, values, mask=~mask)
title = "What your function does with ~mask"
heatmap(seen[0], tokens, tokens, title=title, **names)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-the_other_reading", "locked": true, "schema_version": 3, "solution": false, "task": false}
# Each token looks only at what comes after it, and the last one at nothing. In training this model would look splendid.
#
# **Break it, second way.** A query that sees nothing. In a batch of two sentences the second one is empty, and
# `nn.MultiheadAttention` makes NaN of it.

# %%
ask("repaired_afterwards", answer=...)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-ask-repaired_afterwards", "locked": true, "schema_version": 3, "solution": false, "task": false}
# The cell counts. Both sentences go through one shared matrix, as they would in any model.

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-nothing_to_see", "locked": true, "schema_version": 3, "solution": false, "task": false}
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
rows = ["nn.MultiheadAttention", "nn.MultiheadAttention, then nan_to_num", "masked_attention"]
columns = ["of 24 in the output", "of 16 in the gradient of the shared matrix"]
title = "How many numbers are NaN"
heatmap(counts, rows, columns, title=title)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-nothing_to_see", "locked": true, "schema_version": 3, "solution": false, "task": false}
# > **A NaN cannot be repaired afterwards.** Putting a 0 over it helps the numbers that come later. The gradient walks back
# > the way the numbers came, through the place where the NaN was made, and there it turns to NaN as well. One such query is enough to
# > spoil every weight of a model. So no NaN may be made in the first place.
#
# And the other way round: what if a NaN is there already, but hidden?

# %%
ask("hidden_nan", answer=...)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-ask-hidden_nan", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ## 5. The tokens look at each other
#
# Now the pieces come together: make queries, keys and values from the tokens, build the masks that were asked for, and
# attend. Both reasons for hiding may hold at once, and a key is hidden if *either* says so.
#
# The three matrices are `(in, out)`, as in the functions of lesson 02: a row for each number that goes in, a column for
# each that comes out. (An `nn.Linear` keeps its weight the other way round, `(out, in)`.)
#
# > **Padding hides keys, not queries.** The rows that belong to padded positions are computed like any other. Nobody reads
# > them later, so there is nothing to protect, and leaving them alone keeps the code simple.
#
# **Predict.** Draw both masks on top of each other.

# %%
ask("row_of_a_padded_query", answer=...)

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
# **Look.** The sentence 走れ。 ("run.") is padded to four positions, and the future is hidden too. Which reason hides which
# of the zeros? Some have two.

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-both_reasons", "locked": true, "schema_version": 3, "solution": false, "task": false}
torch.manual_seed(5)
x = torch.randn(2, 4, 6)
matrices = [torch.randn(6, 5), torch.randn(6, 5), torch.randn(6, 4)]
_, seen = self_attention(x, *matrices, causal=True, lengths=torch.tensor([4, 2]))
short_sentence = "走れ (run) / 。 / [padding] / [padding]".split(" / ")
title = "Your weights in a sentence of two tokens and two of padding, with causal=True"
heatmap(seen[1], short_sentence, short_sentence, title=title, **names)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-both_reasons", "locked": true, "schema_version": 3, "solution": false, "task": false}
# **Break it.** What goes wrong on the other side? We leave the two real tokens alone, put other numbers into the padding,
# and measure how far each output moves. Cover the table with your hand: which fields should be 0?

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-padding_on_the_wrong_side", "locked": true, "schema_version": 3, "solution": false, "task": false}
filled, refilled = torch.randn(1, 4, 6), torch.randn(1, 4, 6)
refilled[:, :2] = filled[:, :2]  # two real tokens; what fills the rest has changed
both = [[batch @ matrix for matrix in matrices] for batch in (filled, refilled)]  # their Q, K, V
hides_keys = padding_mask(torch.tensor([2]), 4)  # (1, 1, 4)
masks = {
    "no mask": None,
    "your padding mask: keys hidden": hides_keys,
    "the same mask turned: queries hidden": hides_keys.transpose(1, 2),  # (1, 4, 1)
}
moved = []
for mask in masks.values():
    before, after = (masked_attention(*projected, mask=mask)[0] for projected in both)
    moved.append((after - before).abs().amax(dim=-1)[0])
title = "How far each token's output moves when other numbers stand in the padding"
heatmap(torch.stack(moved), list(masks), short_sentence, title=title)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-padding_on_the_wrong_side", "locked": true, "schema_version": 3, "solution": false, "task": false}
# In the last row the *queries* of the padding are hidden. That looks tidy, since the rows of padding come out as 0. But the
# real tokens still look at it, and so the result of a sentence depends on what happens to stand in its padding. Hide who
# is looked at. If you wish to forget what the padded rows give, do that where it is read: in the loss.
#
# **Break it once more.** We change the last token, 寝る, to something quite different, and measure how much the output of
# each token moves. In which row of the table may the first two tokens move, and in which may they not?

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-the_last_word_changes", "locked": true, "schema_version": 3, "solution": false, "task": false}
x, changed_x = torch.randn(1, 3, 6), torch.randn(1, 3, 6)
changed_x[:, :2] = x[:, :2]
moved = []
for causal in (False, True):
    before, _ = self_attention(x, *matrices, causal=causal)
    after, _ = self_attention(changed_x, *matrices, causal=causal)
    moved.append((after - before).abs().amax(dim=-1)[0])
rows = ["causal=False", "causal=True"]
title = "How far each token's output moves when the last token changes"
heatmap(torch.stack(moved), rows, tokens, title=title)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-the_last_word_changes", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ## 6. Too good to be true
#
# Now the question from the beginning. Two tiny models learn to guess the next word. They are alike in everything: words,
# learned positions, one layer of your `self_attention`, the same first numbers, the same training lines. One calls it with
# `causal=True`, the other without.
#
# The lines are made of sentences such as 猫が寝る。 Who does it (猫 cat, 犬 dog, 鳥 bird, 子 child) and what they do (寝る
# sleep, 走る run, 鳴く call, 笑う laugh) is drawn by lot. So it is known how low the loss of an honest guesser can get: 5 of
# the 11 words to be guessed are one of four, the others are certain, which makes 5 · ln 4 / 11 = 0.63 nats per word.
#
# **Predict.** What will the two losses do?

# %%
ask("answers_in_view", answer=...)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-ask-answers_in_view", "locked": true, "schema_version": 3, "solution": false, "task": false}
# Training both takes a few seconds.

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-too_good_to_be_true", "locked": true, "schema_version": 3, "solution": false, "task": false}
def looking_back(x, *matrices):
    """Self-attention of a model that may not see what comes next."""
    return self_attention(x, *matrices, causal=True)


honest, honest_losses = trained(looking_back)
leaky, leaky_losses = trained(self_attention)
lowest = 5 * math.log(4) / 11  # 5 of 11 words are drawn from four
figure, axes = plt.subplots(figsize=(6.5, 3.5))
axes.plot(honest_losses, label="future hidden")
axes.plot(leaky_losses, "--", label="future in view")
axes.axhline(lowest, color="k", linestyle=":", label="as low as an honest guess can get")
axes.set(xlabel="training step", ylabel="loss (nats per word)", ylim=(-0.05, 2.5))
axes.legend()
picture(figure,
    "Two curves of the loss over 100 training steps. With the future hidden it falls to the dotted "
    "line of the lowest honest loss, 0.63, and stays there. With the future in view it falls "
    "through that line to 0 within 30 steps."
)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-too_good_to_be_true", "locked": true, "schema_version": 3, "solution": false, "task": false}
# One curve goes down to the dotted line and stays there. The other goes straight through it. No guesser in the world can
# foresee a lot that has not been drawn; so whoever gets below that line has seen the answers. **A loss that is too good to
# be true is not good luck. It is a leak.**
#
# Now both models write, and what comes next is not there yet. Here is the loss on lines drawn anew, once with whole lines
# in view as in training, and once with only what has been written so far.

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-while_writing", "locked": true, "schema_version": 3, "solution": false, "task": false}
read, following = sentences(200, seed=1000)  # lines drawn anew
results = []
for model in (honest, leaky):
    in_training = loss_of(model, read, following).item()
    results.append([in_training, loss_while_writing(model, read, following)])
rows = ["future hidden", "future in view"]
columns = ["whole lines in view", "while writing"]
title = "Loss on lines drawn anew (nats per word)"
heatmap(results, rows, columns, title=title)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-while_writing", "locked": true, "schema_version": 3, "solution": false, "task": false}
# The second model has learnt one thing only: to copy the word from the next place. When that place is empty, it does far
# worse than a die with ten faces (ln 10 = 2.30). And what would it write?

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-next_word", "locked": true, "schema_version": 3, "solution": false, "task": false}
begun = torch.tensor([[WORDS.index("猫"), WORDS.index("が")]])
guesses = torch.cat([model(begun)[:, -1].softmax(dim=-1) for model in (honest, leaky)])
title = "What may follow 猫が? The chances that each model gives"
heatmap(guesses, rows, WORDS, title=title)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-next_word", "locked": true, "schema_version": 3, "solution": false, "task": false}
# The first one knows that a verb comes next, and that it cannot know which. The second one is sure of nonsense.
#
# ### Checking a mask
#
# In a real model nobody tells you how low the loss may get. So check the mask itself, and do it on a small example:
#
# 1. **Print it for three tokens** and read each row aloud, as you did above.
# 2. **Make all sizes different**: two sentences, three queries, five keys. What is turned or left out then raises an error
#    instead of a wrong number.
# 3. **Change something late and see whether anything early moves.** It finds a leak of the future without looking at any
#    code, in any model. Change the padding, and see whether anything real moves.
#
# ### Neither is better
#
# Do not conclude that hiding is good and seeing is bad. A model that writes text must not see what comes next, since it
# will not have it later either. A model that reads a finished text should look in both directions: 橋を渡る ("cross the
# bridge") and 箸を使う ("use chopsticks") both begin with はし when you hear them, and only what follows tells which it
# is. They have different aims.

# %%
ask("who_hides_the_future", answer=...)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-ask-who_hides_the_future", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ## In three sentences
#
# A mask says for each query which keys are hidden, and here `True` hides. Hiding comes before the softmax, so that the
# visible keys share the whole weight and the hidden ones have no influence at all. The future is hidden because it will
# not be there when the model writes, and padding is hidden because it was never said.

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-ask-who_hides_the_future-2", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ## In your own words
#
# A friend says: "Hiding the future throws information away. A model that looks in both directions is always better." What
# do you answer, in three to five sentences, and with which example?

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": true, "grade_id": "write-both_directions", "locked": false, "points": 0, "schema_version": 3, "solution": true, "task": false}
# *Write your answer here.*

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-write-both_directions", "locked": true, "schema_version": 3, "solution": false, "task": false}
# Next, in `05_multi_head`, the tokens look at each other in several ways at once, and the masks get one more axis, for the heads.
