# ---
# jupyter:
#   attn:
#     assignment: 01_soft_lookup
#     version: 1
#     language: en
#   kernelspec:
#     display_name: Python 3 (ipykernel)
#     language: python
#     name: python3
# ---

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-opening", "locked": true, "schema_version": 3, "solution": false, "task": false}
# # How do you know what "it" is?
#
# *Taro bought a book. It is heavy.* You knew at once that the book is heavy, and not Taro. Nobody taught you a
# rule such as "*it* stands for the fourth word". You looked back and found what fits. **How can a program look back, and how
# does it tell what fits?**
#
# After this lesson you can
#
# * say what a memory of fixed size loses as a text grows longer;
# * look something up by likeness, where a dictionary finds nothing;
# * turn scores of any size into shares that sum to 1, along whichever axis you need;
# * work through a soft lookup of three words with pencil and paper, and say why one and the same word gets different
#   weights in two sentences.
#
# All you need is Python, NumPy and the dot product of two vectors.
#
# Run the cells from the top. Each answer cell says what is wanted; replace the line that raises an error, run the cell,
# then run the check below it. When you come back another day, run everything from the top again.

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "lesson-setup", "locked": true, "schema_version": 3, "solution": false, "task": false}
import matplotlib.pyplot as plt
import numpy as np
from autograder.learn import lesson
from autograder.learn.heatmap import heatmap
from autograder.learn.picture import picture

check, ask = lesson("01_soft_lookup", language="en")

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-opening-2", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ## 1. What a memory forgets
#
# Programs used to read as you listen to a speech: one word after another, with nothing but a memory to keep it in. The
# memory is a vector. After each word a new memory is computed from the old one and the word. (Such programs are called
# *recurrent networks*, and their memory the *hidden state*.) When the text ends, that vector is all they have.
#
# **Predict.** The next cell asks you a question when you run it. Put the letter of your answer, in quotes, in place of
# `...` and run it again.

# %%
ask("longer_sentence", answer=...)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-ask-longer_sentence", "locked": true, "schema_version": 3, "solution": false, "task": false}
# Now measure it. Take two sentences that differ in their first word only, and let the same program read both. As long as
# the two memories differ, something of the first word is left. Once they are equal, nobody who has only the memory could
# say which word it was. So the distance between the memories tells how much is left. The cell reads 200 such pairs.

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-fading_memory", "locked": true, "schema_version": 3, "solution": false, "task": false}
rng = np.random.default_rng(1)
pairs, length, width = 200, 21, 8
ones = rng.normal(size=(pairs, length, width))  # 200 sentences of 21 words, 8 numbers a word
others = ones.copy()
others[:, 0] = rng.normal(size=(pairs, width))  # the same sentences, with another first word


def left_of_word_1(size):
    """The distance of the two memories after each word, in percent of the first one."""
    keep = rng.normal(size=(size, size)) / np.sqrt(size)
    write = rng.normal(size=(width, size)) / np.sqrt(width)
    memory = other_memory = np.zeros((pairs, size))
    distances = []
    for place in range(length):
        memory = np.tanh(memory @ keep + ones[:, place] @ write)
        other_memory = np.tanh(other_memory @ keep + others[:, place] @ write)
        distances.append(np.linalg.norm(memory - other_memory, axis=1).mean())
    return 100 * np.array(distances) / distances[0]


words_since = np.arange(length)
left = left_of_word_1(16)
figure, axes = plt.subplots(figsize=(6.5, 3.5))
axes.plot(words_since, left, "o-", label="memory of 16 numbers")
axes.plot(words_since, left_of_word_1(256), "s--", label="memory of 256 numbers")
axes.plot(words_since, np.full(length, 100), label="list of all words")
axes.set(xlabel="words read since the first one", ylabel="left of the first word (%)")
axes.set_xticks(words_since[::2])
axes.legend()
picture(figure,
    "Curves over the number of words read since the first one. For memories of 16 and of 256 "
    "numbers alike, what is left falls from 100 percent to about 10 after five words, and to about "
    "1 after ten. The line for a list of all words stays at 100."
)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-fading_memory", "locked": true, "schema_version": 3, "solution": false, "task": false}
# After five more words about a tenth is left, after ten about a hundredth, and a memory sixteen times as large forgets
# just as fast. Be fair to it: its matrices are random here. Training teaches it to hold on longer. But whatever is new is
# still written over the same few numbers.
#
# The line on top is a plain list: every word is kept as it was, however long ago. It forgets nothing. But then somebody
# has to *find* the right word in it, and that is what the rest of this lesson is about.

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-fading_memory-2", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ## 2. A dictionary that always answers
#
# Python already has something that finds: a dictionary.

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-exact_lookup", "locked": true, "schema_version": 3, "solution": false, "task": false}
legs = {"cat": 4, "bird": 2, "fish": 0}
for animal in ("cat", "kitten"):
    print(animal, "->", legs.get(animal, "nothing found"))

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-exact_lookup", "locked": true, "schema_version": 3, "solution": false, "task": false}
# A dictionary asks whether two keys are *equal*, and "kitten" does not equal "cat". We want to ask how much they are
# *alike*. So each animal becomes a vector. Ours has two numbers that you can read, one for fur and one for wings. (In a
# real model there are hundreds, and nobody has named them.)

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-map_of_animals", "locked": true, "schema_version": 3, "solution": false, "task": false}
animals = ["cat", "bird", "fish"]
animal_keys = np.array([[3.0, 0.0], [1.0, 3.0], [-1.0, -1.0]])  # fur, wings
animal_legs = np.array([[4.0], [2.0], [0.0]])
askers = ["kitten", "sparrow", "bat"]
asking = np.array([[2.0, 0.0], [1.0, 2.0], [2.0, 2.0]])
arrow = {"arrowstyle": "->", "color": "#1f77b4", "linewidth": 2}
figure, axes = plt.subplots(figsize=(6.5, 4.2))
for name, (fur, wings) in zip(animals, animal_keys, strict=True):
    axes.annotate("", (fur, wings), (0, 0), arrowprops=arrow)
    axes.annotate(name, (fur, wings), (6, 6 if wings >= 0 else -12), textcoords="offset points")
axes.plot(*asking.T, "D", color="#ff7f0e")
for name, place in zip(askers, asking, strict=True):
    axes.annotate(name, place, (8, -12), textcoords="offset points")
axes.set(xlabel="fur", ylabel="wings", xlim=(-1.8, 4), ylim=(-1.6, 3.8), aspect="equal")
axes.grid()
picture(figure,
    "A plane with fur to the right and wings upwards. Three arrows from the origin are keys: cat "
    "(3, 0), bird (1, 3), fish (-1, -1). Three diamonds are queries: kitten (2, 0) lies on the "
    "cat's arrow, sparrow (1, 2) close to the bird's arrow, bat (2, 2) between the two."
)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-map_of_animals", "locked": true, "schema_version": 3, "solution": false, "task": false}
# Three words to keep. An arrow is a **key**: what an entry is found by. A diamond is a **query**: what is being looked
# for. What the entry hands over when it is found is its **value**; here that is the number of legs.
#
# How alike a query and a key are is measured by their dot product: multiply number by number, and add up.
#
# | query | cat (3, 0) | bird (1, 3) | fish (-1, -1) |
# |---|---|---|---|
# | kitten (2, 0) | **6** | 2 | -2 |
# | sparrow (1, 2) | 3 | **7** | -3 |
# | bat (2, 2) | 6 | **8** | -4 |
#
# The kitten is most like the cat, so it gets the cat's value, 4 legs. A negative number says "rather the opposite".
#
# **Predict.** One more animal, with pencil and paper. Run the cell to see the question, then write a number in place of
# `...`. Once your function is written, run the cell again, and it compares the two.

# %%
ask("flying_squirrel", answer=...)

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "hard_lookup", "locked": false, "schema_version": 3, "solution": true, "task": false}
def hard_lookup(query, keys, values):
    """The value whose key fits the query best.

    query (d,), keys (n, d), values (n, d_v) -> the value (d_v,)
    Key i and value i belong together. The best key is the one whose dot product
    with the query is largest; of equally good ones it is the first.

    With query [1., 2.], keys [[3., 0.], [0., 4.]] and values [[5., 6.], [7., 8.]]
    the dot products are 3 and 8, and the result is [7., 8.].
    """
    raise NotImplementedError

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "check-hard_lookup", "locked": true, "points": 5.0, "schema_version": 3, "solution": false, "task": false}
check(hard_lookup)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-check-hard_lookup", "locked": true, "schema_version": 3, "solution": false, "task": false}
# Your function at work:

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-three_lookups", "locked": true, "schema_version": 3, "solution": false, "task": false}
legs_found = [hard_lookup(query, animal_keys, animal_legs)[0] for query in asking]
title = "What your hard_lookup hands over"
columns = ["fur", "wings", "legs found"]
heatmap(np.column_stack([asking, legs_found]), askers, columns, title=title)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-three_lookups", "locked": true, "schema_version": 3, "solution": false, "task": false}
# > **The dot product is not a distance.** It grows when two vectors point the same way, and it also grows when they get
# > longer. A long key is like a loud voice: it is heard even by those who did not ask for it.
#
# **Break it.** The bird's key becomes four times as long and still points the same way. Whose answer will change? Work it
# out before you run the cell.

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-loud_key", "locked": true, "schema_version": 3, "solution": false, "task": false}
loud_keys = animal_keys * np.array([[1.0], [4.0], [1.0]])  # the bird's key, four times as long
loud_found = [hard_lookup(query, loud_keys, animal_legs)[0] for query in asking]
title = "Legs found, before and after the bird's key grows"
heatmap(np.column_stack([legs_found, loud_found]), askers, ["before", "after"], title=title)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-loud_key", "locked": true, "schema_version": 3, "solution": false, "task": false}
# There is a second weakness. Let a query walk from "fur 2, no wings" to "no fur, wings 2" in tiny steps, and look at what
# your function hands over on the way.

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-hard_jump", "locked": true, "schema_version": 3, "solution": false, "task": false}
steps = np.linspace(0, 1, 201)
path = np.stack([2 - 2 * steps, 2 * steps], axis=1)  # from (fur 2, wings 0) to (fur 0, wings 2)
hard = [hard_lookup(query, animal_keys, animal_legs)[0] for query in path]
figure, axes = plt.subplots(figsize=(6.5, 3))
axes.plot(path[:, 1], hard, label="hard_lookup")
axes.set(xlabel="wings of the query (its fur is 2 minus that)", ylabel="legs found")
axes.set_ylim(1.5, 4.5)
axes.legend()
picture(figure,
    "A curve over the wings of the query, from 0 to 2. The legs found stay at 4 until the query "
    "has 0.8 wings, then drop to 2 at once and stay there."
)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-hard_jump", "locked": true, "schema_version": 3, "solution": false, "task": false}
# Nearly everywhere, a small step changes nothing at all, and at one place it changes everything. A model learns by small
# steps: it nudges its numbers and goes where the result improves. On this curve there is nothing to go by. So perhaps we
# should not choose at all, and give every entry a share instead.

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-hard_jump-2", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ## 3. From scores to shares
#
# Shares are positive and sum to 1, and who has the higher *score* gets more. A score is a number that says how well two
# things fit, such as the dot products of section 2. Dividing the scores by their sum will not do: the kitten's 6, 2
# and -2 would become 1, 0.33 and -0.33, and what would you do with a sum of 0?
#
# The exponential function makes a positive number of anything, and a larger one of anything larger. So: first exp, *then*
# divide by the sum. This is **softmax**. (Its description and its check call the shares *weights*.) In a formula, share i is
# exp(xᵢ) / (exp(x₁) + exp(x₂) + …).
#
# **Predict.** Take scores whose exponentials are easy.

# %%
ask("shares_by_hand", answer=...)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-ask-shares_by_hand", "locked": true, "schema_version": 3, "solution": false, "task": false}
# Before you write it, two warnings. First, exponentials become large very quickly:

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-too_large", "locked": true, "schema_version": 3, "solution": false, "task": false}
with np.errstate(over="ignore", invalid="ignore"):
    for score in (1.0, 10.0, 100.0, 700.0, 710.0):
        print(f"exp({score:g}) = {np.exp(score):.3g}")
    print("exp(710) / exp(710) =", np.exp(710.0) / np.exp(710.0))

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-too_large", "locked": true, "schema_version": 3, "solution": false, "task": false}
# Two equal scores of 710 should get one half each, and we get `nan`, "not a number". Scores do get large, and
# `03_scaled_dot_product` shows why. Here is a question that leads to the way out.

# %%
ask("plus_a_hundred", answer=...)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-ask-plus_a_hundred", "locked": true, "schema_version": 3, "solution": false, "task": false}
# Second, scores often come as a table, and then it matters which numbers share with each other.
#
# > **`axis` is the direction in which you walk while adding up.** In a table, `axis=0` walks down each column, although
# > axis 0 is "the rows", and `axis=-1` walks along each row. Walk the wrong way and you get a table of the right shape,
# > with shares that look quite reasonable and belong to the wrong ones. Nothing warns you. Adding up does.

# %%
ask("shares_down_the_columns", answer=...)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-ask-shares_down_the_columns", "locked": true, "schema_version": 3, "solution": false, "task": false}
# Now write it. Somebody may hand you an array with three axes and point at the middle one. Mind that a sum along an axis
# makes that axis disappear: which shape do the sums need so that every number meets the sum it belongs to?

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "softmax", "locked": false, "schema_version": 3, "solution": true, "task": false}
def softmax(x, axis=-1):
    """Weights made of numbers: positive, and with the sum 1 along one axis.

    x: float array of any shape -> array of the same shape and dtype
    Weight i is exp(x_i), divided by the sum of all exp(x_j) along the axis.
    The result is right for large numbers too, where exp(x) itself would overflow.

    softmax(np.array([0., 0.])) -> [0.5, 0.5]
    softmax(np.array([[0., 9.], [0., 9.]]), axis=0) -> [[0.5, 0.5], [0.5, 0.5]]
    """
    raise NotImplementedError

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "check-softmax", "locked": true, "points": 8.0, "schema_version": 3, "solution": false, "task": false}
check(softmax)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-check-softmax", "locked": true, "schema_version": 3, "solution": false, "task": false}
# **Look.** Here your function gets the bat's scores 6, 8 and -4, multiplied by one factor after the other. Which row gives
# all animals the same share? Which one is, in effect, a hard lookup?

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-soft_to_hard", "locked": true, "schema_version": 3, "solution": false, "task": false}
factors = [0.0, 0.1, 0.5, 1.0, 10.0]
bat_scores = np.array([6.0, 8.0, -4.0])
rows = ["scores times" + f" {factor:g}" for factor in factors]
title = "Your softmax of the bat's scores 6, 8 and -4, times a factor"
heatmap(softmax(np.outer(factors, bat_scores)), rows, animals, title=title)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-soft_to_hard", "locked": true, "schema_version": 3, "solution": false, "task": false}
# So the two are ends of one road, and the size of the scores decides where on it you stand.
#
# **Break it.** In the table of section 2 each *row* is a query, and each query should share out 1 among the animals. What
# happens along the other axis? Say which animals compete with each other for the cat, then run the cell.

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-wrong_axis", "locked": true, "schema_version": 3, "solution": false, "task": false}
scores = np.array([[6.0, 2.0, -2.0], [3.0, 7.0, -3.0], [6.0, 8.0, -4.0]])
down = softmax(scores, axis=0)
columns = [*animals, "sum of the row"]
title = "Your softmax of the table of section 2, with axis=0"
heatmap(np.column_stack([down, down.sum(axis=1)]), askers, columns, title=title)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-wrong_axis", "locked": true, "schema_version": 3, "solution": false, "task": false}
# The shape is right, every number lies between 0 and 1, and the bat still prefers the bird. But look at the kitten: its
# largest share goes to the fish, which suits it worst of all, only because the fish suits the other two even less. The
# sums of the rows are what gives it away.

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-wrong_axis-2", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ## 4. Everybody hands over a little
#
# A soft lookup has three steps: compare the query with *every* key; turn the scores into shares; average the *values* with
# these shares as weights. And since there are usually many queries, all of them are looked up at once, one per row.
#
# Let us work through one by hand. The sentence is 猫が寝る (*neko ga neru*, "the cat sleeps"). The pieces that a sentence
# is cut into are called *tokens*; here there are three: 猫 (cat), が (marks the subject), 寝る (sleeps). The first number of
# a value says *who*, the second *what happens*.
#
# | token | query | key | value |
# |---|---|---|---|
# | 猫 (cat) | (0, 0) | (1, 0) | (10, 0) |
# | が (subject) | (1, 1) | (0, 1) | (0, 0) |
# | 寝る (sleeps) | (2, 1) | (0, 0) | (0, 10) |
#
# 寝る looks for who sleeps:
#
# | | 猫 | が | 寝る | sum |
# |---|---|---|---|---|
# | score: query (2, 1) · key | 2 | 1 | 0 | |
# | exp | 7.39 | 2.72 | 1.00 | 11.11 |
# | weight | 0.67 | 0.24 | 0.09 | 1 |
#
# It takes home 0.67 · (10, 0) + 0.24 · (0, 0) + 0.09 · (0, 10) = (6.7, 0.9). So "sleeps" has now heard, above all, of a cat.
#
# **Predict.** Do the same for が, whose query is (1, 1). exp(1) is about 2.72.

# %%
ask("row_of_ga", answer=...)

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "soft_lookup", "locked": false, "schema_version": 3, "solution": true, "task": false}
def soft_lookup(queries, keys, values):
    """For each query, a mixture of all values.

    queries (m, d), keys (n, d), values (n, d_v)
    -> (output (m, d_v), weights (m, n))
    Row i of the weights is the softmax of the dot products of query i with all keys,
    just as they are (not scaled).
    Row i of the output is the average of the values with those weights.
    Of float32 and float64 together NumPy makes float64, and so does this.

    With queries [[0., 0.]], keys [[1., 2.], [3., 4.]] and values [[2.], [6.]]
    the weights are [[0.5, 0.5]] and the output is [[4.]].
    """
    raise NotImplementedError

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "check-soft_lookup", "locked": true, "points": 7.0, "schema_version": 3, "solution": false, "task": false}
check(soft_lookup)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-check-soft_lookup", "locked": true, "schema_version": 3, "solution": false, "task": false}
# Here are all nine weights from your function. Find the row that we worked out, and your own. What does 猫 look for?

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-three_tokens", "locked": true, "schema_version": 3, "solution": false, "task": false}
tokens = "猫 (cat) / が (subject) / 寝る (sleeps)".split(" / ")
names = {"row_name": "who looks (query)", "column_name": "who is looked at (key)"}
token_queries = np.array([[0.0, 0.0], [1.0, 1.0], [2.0, 1.0]])
token_keys = np.array([[1.0, 0.0], [0.0, 1.0], [0.0, 0.0]])
token_values = np.array([[10.0, 0.0], [0.0, 0.0], [0.0, 10.0]])  # who, what happens
output, weights = soft_lookup(token_queries, token_keys, token_values)
title = "Your weights: each row shares out 1"
heatmap(weights, tokens, tokens, title=title, **names)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-three_tokens", "locked": true, "schema_version": 3, "solution": false, "task": false}
# And this is what each token takes home:

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-three_outputs", "locked": true, "schema_version": 3, "solution": false, "task": false}
title = "Your output: what each token takes home"
heatmap(output, tokens, ["who", "what happens"], title=title)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-three_outputs", "locked": true, "schema_version": 3, "solution": false, "task": false}
# > **What comes out is none of the values.** A hard lookup hands over an entry of the table. A soft one hands over a
# > mixture, somewhere between the entries. (A kitten gets about 3.96 legs.) That is no inaccuracy: the mixture is the
# > point, because a small step of the query now makes a small step of the answer.
#
# **Look.** You have seen the dashed line before. Where on the solid one could a model tell in which direction to go?

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-soft_slope", "locked": true, "schema_version": 3, "solution": false, "task": false}
soft = soft_lookup(path, animal_keys, animal_legs)[0][:, 0]
figure, axes = plt.subplots(figsize=(6.5, 3))
axes.plot(path[:, 1], hard, "--", label="hard_lookup")
axes.plot(path[:, 1], soft, label="soft_lookup")
axes.set(xlabel="wings of the query (its fur is 2 minus that)", ylabel="legs found")
axes.set_ylim(1.5, 4.5)
axes.legend()
picture(figure,
    "Two curves over the wings of the query, from 0 to 2. The dashed one, hard_lookup, jumps from "
    "4 legs to 2 at 0.8 wings. The solid one, soft_lookup, falls smoothly from nearly 4 to nearly "
    "2 and is steepest at the same place."
)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-soft_slope", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ## 5. No fixed rule
#
# The Japanese word 甘い (*amai*) means "sweet". Said of a teacher, it means "lenient". In a list of words it has one
# vector, and so it has one query.

# %%
ask("same_word", answer=...)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-ask-same_word", "locked": true, "schema_version": 3, "solution": false, "task": false}
# The query asks for something to eat, and a little less for a person. Two sentences: このりんごは甘い ("this apple is
# sweet") and この先生は甘い ("this teacher is lenient"). は marks the topic.

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-one_word_two_sentences", "locked": true, "schema_version": 3, "solution": false, "task": false}
meanings = {  # key and value of a word: food, person; all other words have zeros
    "りんご (apple)": [1.0, 0.0],
    "先生 (teacher)": [0.0, 1.0],
}
amai = np.array([[3.0, 2.0]])  # the one query of 甘い: food, and a little less a person


def look_from_amai(sentence):
    """Weights of the words, then what is handed over."""
    entries = np.array([meanings.get(word, [0.0, 0.0]) for word in sentence])
    handed_over, shares = soft_lookup(amai, entries, entries)
    return np.concatenate([shares[0], handed_over[0]])


about_fruit = "この (this) / りんご (apple) / は (topic) / 甘い (amai)".split(" / ")
about_person = "この (this) / 先生 (teacher) / は (topic) / 甘い (amai)".split(" / ")
columns = [about_fruit[0], "noun", *about_fruit[2:], "→ food", "→ person"]
title = "The weights of 甘い in two sentences, and (→) what it takes home"
rows = ["この りんご は 甘い", "この 先生 は 甘い"]
seen_from_amai = np.stack([look_from_amai(about_fruit), look_from_amai(about_person)])
heatmap(seen_from_amai, rows, columns, title=title)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-one_word_two_sentences", "locked": true, "schema_version": 3, "solution": false, "task": false}
# Nobody wrote a rule for 甘い. Its weights were made on the spot, from who else happened to be there, and so 甘い took home
# something else in each sentence. **Try it:** add a cell of your own below. `look_from_amai(about_fruit[:3] + about_person)`
# reads a sentence with an apple *and* a teacher in it. Where do the weights go? Then turn that list round with `[::-1]`,
# so that the words come in the opposite order. What changes?
#
# Back to the beginning: 太郎は本を買った ("Taro bought a book"), and then それは重い ("it is heavy"), or 彼は嬉しい ("he is
# glad"). Two queries look back at the same five words. Put a finger on the column that should be strongest in each row,
# then run the cell.

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-pronouns", "locked": true, "schema_version": 3, "solution": false, "task": false}
bought = "太郎 (Taro) / は (topic) / 本 (book) / を (object) / 買った (bought)".split(" / ")
bought_keys = np.zeros((5, 2))
bought_keys[0] = [1.0, 0.0]  # a person
bought_keys[2] = [0.0, 1.0]  # a thing
pronoun_queries = np.array([[0.0, 4.0], [4.0, 0.0]])
_, found = soft_lookup(pronoun_queries, bought_keys, bought_keys)
title = "Your weights: two pronouns (rows) look back at five words"
heatmap(found, ["それ (it)", "彼 (he)"], bought, title=title)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-pronouns", "locked": true, "schema_version": 3, "solution": false, "task": false}
# Be clear about what was shown. The vectors were chosen by hand so that the right word would be found; how a model comes by
# such vectors is the subject of `02_qkv_projections`. But the looking back is all your own code.
#
# **Break it.** Now words of no interest push in between 本 and それ, more and more of them. How does the weight of 本
# compare with what the memory of section 1 has left?

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-far_away", "locked": true, "schema_version": 3, "solution": false, "task": false}
weight_of_noun = []
for between in range(length):
    keys_so_far = np.zeros((1 + between, 2))  # words of no interest, and first of all
    keys_so_far[0] = [0.0, 1.0]  # the noun
    _, found = soft_lookup(pronoun_queries[:1], keys_so_far, keys_so_far)
    weight_of_noun.append(100 * found[0, 0])
figure, axes = plt.subplots(figsize=(6.5, 3.5))
axes.plot(words_since, weight_of_noun, "o-", label="soft_lookup: weight of 本 (book)")
axes.plot(words_since, left, "s--", label="memory of 16 numbers")
axes.set(xlabel="words in between", ylabel="weight, left of word 1 (%)", ylim=(0, 105))
axes.set_xticks(words_since[::2])
axes.legend()
picture(figure,
    "Two curves over the number of words in between, from 0 to 20. The weight of the noun in the "
    "soft lookup falls slowly from 100 percent to 73. What is left in the memory falls to almost "
    "nothing after ten words."
)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-far_away", "locked": true, "schema_version": 3, "solution": false, "task": false}
# For a lookup it does not matter how *far away* a word is. It only matters *how many* others share in the weight, and a
# query that asks more strongly leaves them less. The price is elsewhere: to look back at everything, you must keep
# everything and compare with everything. `06_complexity` counts what that costs.
#
# > **Where the picture of a search ends.** In a library somebody wrote the cards, you ask in words, and you get one book.
# > Here nobody writes the keys and nobody asks in words: all three are numbers that training finds, and most have no name.
# > You never get one entry, but always some of each, even when nothing fits. And the table is not kept anywhere: it is the
# > sentence itself, made anew for each.

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-far_away-2", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ## In three sentences
#
# A memory of fixed size overwrites what it has read, so a program had better keep all the words and look them up. A soft
# lookup compares a query with every key by a dot product, makes shares of the scores with a softmax, and hands over the
# average of the values with these shares as weights. The weights follow no fixed rule: they are made anew in each
# sentence, and so the same word may look elsewhere and take home something else.

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-far_away-3", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ## In your own words
#
# A friend knows Python's dictionaries well and has heard that "attention is a kind of dictionary". In three to five
# sentences: what is right about that, and what are the two or three things that a dictionary does differently? Use an
# example of your own.

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": true, "grade_id": "write-a_kind_of_dictionary", "locked": false, "points": 0, "schema_version": 3, "solution": true, "task": false}
# *Write your answer here.*

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-write-a_kind_of_dictionary", "locked": true, "schema_version": 3, "solution": false, "task": false}
# Next, in `02_qkv_projections`, you will see where queries, keys and values come from.
