# ---
# jupyter:
#   attn:
#     assignment: 06_complexity
#     version: 1
#     language: en
#   kernelspec:
#     display_name: Python 3 (ipykernel)
#     language: python
#     name: python3
# ---

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-opening", "locked": true, "schema_version": 3, "solution": false, "task": false}
# # What n² costs
#
# 『吾輩は猫である。名前はまだ無い。』 (*Wagahai wa neko de aru. Namae wa mada nai.*, "I am a cat. As yet I have no
# name.") So begins a famous novel. Taken letter by letter, these two sentences are 16 tokens, and attention compares each
# of them with each: 256 scores. The whole novel has more than 300,000 letters. **Why not let a model read all of it at
# once? What would it cost: 20,000 times as much, or more?**
#
# After this lesson you can
#
# * count by hand what attention computes and how much memory its scores take, and check it against PyTorch's counter;
# * say when n² matters and when something else costs more;
# * measure a time so that the number means something, also on a GPU;
# * read from a few measurements how fast a cost grows, and tell when small sizes are deceiving you;
# * compare three ways to compute the same attention, and explain what differs and what does not.
#
# You need the attention of lesson 03, and from lesson 05 that each head has scores of its own.
#
# Run the cells from the top. Each answer cell says what is wanted; replace the line that raises an error, run the cell,
# then run the check below it. When you come back another day, run everything from the top again.
#
# Beside this notebook lies `helpers.py`. It holds the instruments of this lesson (a counter of operations, a counter of
# bytes, a pretend device), and you are welcome to read it.

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "lesson-setup", "locked": true, "schema_version": 3, "solution": false, "task": false}
from collections.abc import Callable, Sequence
import math
import time
from typing import Any
import matplotlib.pyplot as plt
import torch
from torch.nn.functional import scaled_dot_product_attention
from autograder.learn import lesson
from autograder.learn.picture import picture
from helpers import Experiment, PretendDevice, count_flops, peak_bytes

check, ask = lesson("06_complexity", language="en")

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-opening-2", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ## 1. Counting scores
#
# A score belongs to one query and one key. With as many queries as keys there are n × n of them: a square. And that square
# is not alone. Each head has one of its own, and each sequence of the batch has all of these again.
#
# **Predict.** The next cell asks a question when you run it. Put your prediction in place of `...`. Once your function is
# written, run the cell again, and it compares the two.

# %%
ask("twice_as_long", answer=...)

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "score_count", "locked": false, "schema_version": 3, "solution": true, "task": false}
def score_count(batch: int, heads: int, n_queries: int, n_keys: int) -> int:
    """How many scores attention computes.

    Every query is compared with every key, in each head of each sequence of the batch.
    batch, heads, n_queries, n_keys: ints -> int

    score_count(1, 1, 2, 3) -> 6
    """
    raise NotImplementedError

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "check-score_count", "locked": true, "points": 2.0, "schema_version": 3, "solution": false, "task": false}
check(score_count)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-check-score_count", "locked": true, "schema_version": 3, "solution": false, "task": false}
# **Look.** Each square holds the scores of one head for a text twice as long as the one inside it. How many times does a
# square fit into the next one?

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-nested_squares", "locked": true, "schema_version": 3, "solution": false, "task": false}
figure, axes = plt.subplots(figsize=(6.5, 4))
for n in (128, 64, 32, 16):
    label = f"n = {n}: {score_count(1, 1, n, n):,} " + "scores"
    axes.fill([0, n, n, 0], [0, 0, n, n], alpha=0.45, label=label)
axes.set(xlabel="keys", ylabel="queries", aspect="equal")
axes.invert_yaxis()
axes.legend(loc="upper left", bbox_to_anchor=(1.02, 1))
picture(figure,
    "Four squares one inside the other, with sides 16, 32, 64 and 128. Each has twice the side of "
    "the one inside it and four times its area, and the legend gives the number of scores by your "
    "formula."
)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-nested_squares", "locked": true, "schema_version": 3, "solution": false, "task": false}
# > **"n² is the cost of attention."** It is the cost of *one* head for *one* sequence. With 12 heads and 16 sequences
# > there are 192 such squares, all at the same time. People who plan with a single square run out of memory at once, and
# > wonder why.
#
# **Break it.** How would you notice that a count has forgotten the heads? Try to choose the sizes of a test yourself.

# %%
ask("revealing_sizes", answer=...)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-ask-revealing_sizes", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ## 2. Counting operations
#
# Two matrix products do the work. The first makes the scores: for each of them a dot product of d_k numbers. The second
# mixes the values: each of the d_v numbers of an output is a sum over all keys.
#
# A dot product is a chain of *multiply-adds*: multiply two numbers, add the result to a running sum.
#
# > **One or two?** Some papers and tools count a multiply-add once (they speak of MACs), others twice (FLOPs,
# > floating-point operations), and some write one word and mean the other. Many a quarrel about such numbers is about
# > this factor. Here, as in PyTorch's counter, a multiply-add is **two** operations. A second such factor comes with
# > causal masks: some people count only the visible half of the scores. Here everything that is computed counts, and
# > attention as you wrote it computes the hidden scores too.
#
# **Predict.** Small enough to count on your fingers:

# %%
ask("tiny_flops", answer=...)

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "attention_flops", "locked": false, "schema_version": 3, "solution": true, "task": false}
def attention_flops(batch: int, heads: int, n_queries: int, n_keys: int, d_k: int, d_v: int) -> int:
    """Floating-point operations of attention's two matrix products, Q with K and weights with V.

    A multiply-add is two operations: one multiplication, one addition. The softmax does not count.
    Q (batch, heads, n_queries, d_k), K (batch, heads, n_keys, d_k), V (batch, heads, n_keys, d_v)
    -> int

    attention_flops(1, 1, 1, 1, 1, 1) -> 4
    """
    raise NotImplementedError

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "check-attention_flops", "locked": true, "points": 4.0, "schema_version": 3, "solution": false, "task": false}
check(attention_flops)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-check-attention_flops", "locked": true, "schema_version": 3, "solution": false, "task": false}
# **Look.** PyTorch can watch a function run and count the products that it makes. Here is attention as in lesson 03, 40
# queries, 70 keys, and values of another width. Does your formula agree with what happens?

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-against_the_counter", "locked": true, "schema_version": 3, "solution": false, "task": false}
def attention(Q, K, V):
    scores = Q @ K.transpose(-2, -1) / Q.shape[-1] ** 0.5  # (..., n_q, n_k)
    return scores.softmax(dim=-1) @ V  # (..., n_q, d_v)


torch.manual_seed(6)
Q, K, V = torch.randn(2, 3, 40, 16), torch.randn(2, 3, 70, 16), torch.randn(2, 3, 70, 24)
print("operations by your formula:", f"{attention_flops(2, 3, 40, 70, 16, 24):,}")
if __name__ == "__main__":  # while you look, not while a file is graded
    print("operations that PyTorch saw:", f"{count_flops(lambda: attention(Q, K, V)):,}")

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-against_the_counter", "locked": true, "schema_version": 3, "solution": false, "task": false}
# **Break it.** Before attention stand the projections to Q, K and V, and after it the one back: four matrices of
# d_model × d_model. Each token goes through each of them once, so their cost grows like n, not like n². Which of the two is
# larger?

# %%
ask("short_text", answer=...)

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-projections_and_products", "locked": true, "schema_version": 3, "solution": false, "task": false}
d_model, heads = 512, 8
lengths = [2**k for k in range(5, 15)]
projections = [4 * 2 * n * d_model**2 for n in lengths]  # four matrices
products = [attention_flops(1, heads, n, n, d_model // heads, d_model // heads) for n in lengths]
figure, axes = plt.subplots(figsize=(6.5, 3.6))
axes.loglog(lengths, projections, "s--", label="four projections")
axes.loglog(lengths, products, "o-", label="two products (your formula)")
axes.axvline(2 * d_model, color="gray", linestyle=":", label="n = 2 · d_model")
axes.set(xlabel="n (tokens)", ylabel="operations")
axes.legend()
picture(figure,
    "Operations over n, both axes logarithmic. The line of the two products is twice as steep as "
    "that of the four projections, and they cross at n = 1024, twice the width of the model."
)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-projections_and_products", "locked": true, "schema_version": 3, "solution": false, "task": false}
# Up to twice the width of the model, the projections cost more. For texts much shorter than that, "attention is
# quadratic" is true and beside the point: a text twice as long takes about twice the work. Only beyond that does n² rule.

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-projections_and_products-2", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ## 3. Counting bytes
#
# Numbers must be kept somewhere. How much room one takes is a matter of its dtype.
#
# **Predict.** A middling model: 16 sequences of 1024 tokens, 12 heads, float32. How many MiB (that is 1024 × 1024 bytes) do
# the scores of a *single layer* take? Guess first, and only then calculate.

# %%
ask("mebibytes_of_scores", answer=...)

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "score_bytes", "locked": false, "schema_version": 3, "solution": true, "task": false}
def score_bytes(batch: int, heads: int, n_queries: int, n_keys: int, dtype: torch.dtype) -> int:
    """Memory of all scores together, in bytes.

    dtype is one of PyTorch's, say torch.float32 -> int

    score_bytes(1, 1, 1, 1, torch.float32) -> 4
    """
    raise NotImplementedError

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "check-score_bytes", "locked": true, "points": 3.0, "schema_version": 3, "solution": false, "task": false}
check(score_bytes)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-check-score_bytes", "locked": true, "schema_version": 3, "solution": false, "task": false}
# **Look.** `peak_bytes` watches all tensors that live while a function runs and remembers their highest sum. First the one
# product that makes the scores, then the whole attention.

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-beside_a_real_tensor", "locked": true, "schema_version": 3, "solution": false, "task": false}
Q, K, V = torch.randn(3, 2, 4, 300, 16)
print("bytes of the scores by your formula:", f"{score_bytes(2, 4, 300, 300, torch.float32):,}")
print("the product Q @ K.T, measured:", f"{peak_bytes(lambda: Q @ K.transpose(-2, -1)):,}")
print("the whole attention, measured:", f"{peak_bytes(lambda: attention(Q, K, V)):,}")

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-beside_a_real_tensor", "locked": true, "schema_version": 3, "solution": false, "task": false}
# The product alone takes what you calculated, to the byte. The whole attention takes about twice that: while the softmax
# writes its weights, the scores are still there. In training it does not end there. Each layer *keeps* its weights until the
# backward pass has used them, so what you calculated must be multiplied by the number of layers.
#
# **Break it.** One sequence, 12 heads, one layer, longer and longer texts. Both axes are logarithmic. Where
# is the novel of 300,000 letters? And from which length to which do the scores fit on the GPU only in half the precision?

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-bytes_of_long_texts", "locked": true, "schema_version": 3, "solution": false, "task": false}
lengths = [2**k for k in range(4, 20)]
figure, axes = plt.subplots(figsize=(6.5, 3.8))
for dtype, style in ((torch.float32, "o-"), (torch.bfloat16, "s--")):
    gibibytes = [score_bytes(1, 12, n, n, dtype) / 2**30 for n in lengths]
    axes.loglog(lengths, gibibytes, style, label=str(dtype))
axes.axhline(80, color="gray", linestyle=":", label="80 GiB: a large GPU")
axes.set(xlabel="n (tokens)", ylabel="all scores of one layer (GiB)")
axes.legend()
picture(figure,
    "Memory of the scores over n, both axes logarithmic, for float32 and bfloat16. Two parallel "
    "straight lines of slope 2. float32 crosses the 80 GiB of a large GPU between 32,768 and "
    "65,536 tokens, bfloat16 a little later."
)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-bytes_of_long_texts", "locked": true, "schema_version": 3, "solution": false, "task": false}
# Half the precision buys a text about 1.4 times as long, and no more: √2. That is n² seen from the other side.
#
# One instrument deceives more people than any other:

# %%
ask("memory_that_stays", answer=...)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-ask-memory_that_stays", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ## 4. Measuring time
#
# Operations and bytes are the same every time you count. Times are not: they depend on the machine, on what else it does,
# and on how you hold the stopwatch. There are rules for that, and each of them was learnt the hard way.
#
# * **Warm up.** The first call loads libraries, fills caches and chooses algorithms. Make a few calls that do not count.
# * **Repeat, and take the median.** One call that was interrupted ruins a mean. The median does not even notice.
# * **Wait.** On a GPU a call only puts work into a queue and comes back at once. Wait until the device has finished before
#   you read the clock, at the start as well as at the end. In PyTorch it is `torch.cuda.synchronize` that waits.
#
# You may have no GPU at hand, and it would give other numbers each time. So here is one made of arithmetic:
# `PretendDevice([10.0], launch=0.5)` needs 10 seconds for each piece of work, and handing it a piece takes half a second.
# Its `clock()` tells the time, and no real time passes.
#
# **Predict.** What does a stopwatch show that does not wait?

# %%
ask("hasty_stopwatch", answer=...)

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "median_time", "locked": false, "schema_version": 3, "solution": true, "task": false}
def median_time(
    fn: Callable[[], object],
    repeats: int = 5,
    warmup: int = 1,
    clock: Callable[[], float] = time.perf_counter,
    synchronize: Callable[[], object] | None = None,
) -> float:
    """Seconds that one call of fn() takes: the median over `repeats` calls.

    Before these, fn() is called `warmup` times; those calls do not count.
    clock() gives the time in seconds. Where there is a synchronize, synchronize() is called
    before each reading of the clock: on a GPU it waits until all work is done.
    Of an even number of times, the median is the mean of the middle two.
    -> float
    """
    raise NotImplementedError

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "check-median_time", "locked": true, "points": 5.0, "schema_version": 3, "solution": false, "task": false}
check(median_time)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-check-median_time", "locked": true, "schema_version": 3, "solution": false, "task": false}
# **Break it.** Your function, first without and then with waiting.

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-stopwatch_without_waiting", "locked": true, "schema_version": 3, "solution": false, "task": false}
device = PretendDevice([10.0], launch=0.5)
seconds = median_time(device.work, clock=device.clock)
print("seconds, without waiting:", seconds)
device = PretendDevice([10.0], launch=0.5)
seconds = median_time(device.work, clock=device.clock, synchronize=device.synchronize)
print("seconds, with waiting:", seconds)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-stopwatch_without_waiting", "locked": true, "schema_version": 3, "solution": false, "task": false}
# Half a second: the time it takes to *ask*. A plot made this way is flat however large n is, and whoever makes it reports
# that attention costs nothing. It happens in published benchmarks.
#
# **Look.** Now a real machine. Attention on half-precision numbers is called forty times, and each call is timed by itself.
# `set_num_threads(1)` lets PyTorch compute with a single core: slower, but less at the mercy of whatever else is running.
# Look for the first call, and for the strays.

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-every_single_call", "locked": true, "schema_version": 3, "solution": false, "task": false}
half = torch.randn(3, 1, 4, 256, 32).bfloat16()
calls = range(1, 41)
torch.set_num_threads(1)
if __name__ == "__main__":
    milliseconds = [1e3 * median_time(lambda: attention(*half), repeats=1, warmup=0) for _ in calls]
    figure, axes = plt.subplots(figsize=(6.5, 3.2))
    axes.semilogy(calls, milliseconds, "o")
    axes.axhline(sorted(milliseconds)[20], color="gray", linestyle=":", label="median")
    axes.set(xlabel="number of the call", ylabel="time (ms)")
    axes.legend()
picture(figure,
    "The time of each of forty calls in milliseconds, logarithmic. On the first run the first call "
    "takes many times the median, which is drawn as a line; most others lie close to it, and a few "
    "stray far above."
)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-every_single_call", "locked": true, "schema_version": 3, "solution": false, "task": false}
# Run that cell once more. Where has the slow first call gone? Of all these numbers, the smallest says how fast a call can be,
# the mean what a call costs with all its interruptions, and the median what an ordinary call takes.
#
# First calls can be slower still. `torch.compile(fn)` gives a faster version of fn, which is translated for your machine when
# it is first called. Somebody measures such a version:

# %%
ask("slow_again_and_again", answer=...)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-ask-slow_again_and_again", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ## 5. Reading the exponent
#
# A cost that grows like a power, c · n^p, is a curve. Take logarithms on both sides:
#
# log cost = log c + p · log n
#
# That is a straight line, and its slope is the exponent. The constant c, which holds your machine and your units, has
# become the intercept, and the slope knows nothing of it.
#
# **Predict.** Sizes 1, 2, 4, 8 with costs 5, 10, 20, 40:

# %%
ask("slope_by_hand", answer=...)

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "growth_exponent", "locked": false, "schema_version": 3, "solution": true, "task": false}
def growth_exponent(sizes: Sequence[float], costs: Sequence[float]) -> float:
    """The exponent p with which costs grow: where cost = c * size ** p, it is p.

    The slope of the straight line that fits the points (log size, log cost) best,
    in the sense of least squares. It uses all points; they come in any order.
    sizes, costs: sequences of positive numbers, of the same length, at least two different sizes
    -> float

    growth_exponent([10, 100], [7, 700]) -> 2.0
    """
    raise NotImplementedError

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "check-growth_exponent", "locked": true, "points": 3.0, "schema_version": 3, "solution": false, "task": false}
check(growth_exponent)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-check-growth_exponent", "locked": true, "schema_version": 3, "solution": false, "task": false}
# > **The slope of *which* plot?** Fitted to the numbers themselves, a line has a slope too: so many seconds per token.
# > That is no exponent. It changes with the unit, with the machine, and with the sizes you happened to choose. Test every
# > fit on numbers that you made up, with an exponent that you know.
#
# **Look.** Twelve made-up measurements that grow like n², each thrown off by chance, by a quarter or so. Both pictures show
# the same points, and the line with your exponent through the middle of them. In which of the two could you judge
# whether a line fits at all sizes, and not just at the largest? And how far has chance moved the exponent away from 2?

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-fit_over_points", "locked": true, "schema_version": 3, "solution": false, "task": false}
torch.manual_seed(6)
lengths = [100, 130, 180, 250, 330, 450, 600, 800, 1100, 1500, 2000, 2700]
chance = (0.3 * torch.randn(12)).exp().tolist()
milliseconds = [n**2 / 10_000 * factor for n, factor in zip(lengths, chance, strict=True)]
p = growth_exponent(lengths, milliseconds)
x, y = torch.tensor(lengths).log(), torch.tensor(milliseconds).log()
c = (y - p * x).mean().exp().item()  # the line goes through the middle of the points
figure, panels = plt.subplots(1, 2, figsize=(9.5, 3.6))
for axes in panels:
    axes.plot(lengths, milliseconds, "o", label="twelve measurements")
    axes.plot(lengths, [c * n**p for n in lengths], "--", label="your exponent:" + f" {p:.2f}")
    axes.set(xlabel="n (tokens)", ylabel="time (ms)")
    axes.legend()
panels[1].set(xscale="log", yscale="log")
picture(figure,
    "Twelve made-up times over n, the same in both pictures, with the line of your exponent. With "
    "plain axes the small sizes are a heap in the corner and the line is a curve. With logarithmic "
    "axes the points lie evenly along a straight line, some above and some below it."
)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-fit_over_points", "locked": true, "schema_version": 3, "solution": false, "task": false}
# **Break it.** Here is a made-up cost: 50 microseconds for whatever happens once per call (Python, launching, looking things
# up), and n² on top of that. What exponent do the four smallest sizes show, and what the four largest?

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-small_n_deceives", "locked": true, "schema_version": 3, "solution": false, "task": false}
lengths = [2**k for k in range(3, 14)]
microseconds = [50 + n**2 / 1000 for n in lengths]
small = growth_exponent(lengths[:4], microseconds[:4])
large = growth_exponent(lengths[-4:], microseconds[-4:])
figure, axes = plt.subplots(figsize=(6.5, 3.6))
axes.loglog(lengths, microseconds, "o-", label="made up: 50 + n² / 1000")
axes.loglog(lengths[4:], [n**2 / 1000 for n in lengths[4:]], ":", color="gray", label="n²")
axes.set(xlabel="n (tokens)", ylabel="time (µs)")
axes.legend()
print("exponent of the four smallest sizes:", f"{small:.2f}")
print("exponent of the four largest sizes:", f"{large:.2f}")
picture(figure,
    "A made-up time over n, both axes logarithmic. Up to about n = 128 it is flat, at 50 "
    "microseconds. Beyond that it bends upwards and nears the dotted line n²."
)

# %%
ask("flat_at_small_n", answer=...)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-ask-flat_at_small_n", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ## 6. An experiment of your own
#
# Everything is there: costs to measure, and a fit to read them. What is missing is the loop that takes one size after the
# other. Two details decide whether its numbers are worth anything.
#
# * **The input is made outside.** Drawing random numbers takes time and memory. You do not want to measure that.
# * **Gradients are off.** Otherwise each weight matrix is kept for a backward pass that never comes, and even a
#   way that works in small pieces looks like n² in memory.
#
# So `cost` gets a function without arguments, and decides itself how often to call it. `count_flops`, `peak_bytes` and
# `median_time` can all be such a cost.
#
# **Predict.** An experiment small enough for your head:

# %%
ask("three_products", answer=...)

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "measure_growth", "locked": false, "schema_version": 3, "solution": true, "task": false}
def measure_growth(
    make_input: Callable[[int], Any],
    fn: Callable[[Any], object],
    sizes: Sequence[int],
    cost: Callable[[Callable[[], object]], float],
) -> list[float]:
    """The cost of fn at each size, as a list in the order of sizes.

    For each size n, one after the other:
    first x = make_input(n), once and outside of what is measured;
    then cost(call), where call is a function without arguments that runs fn(x)
    with gradients off. What cost gives goes into the list as it is.

    make_input: int -> x; fn: x -> anything; cost: call -> number, it may run call() several times
    """
    raise NotImplementedError

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "check-measure_growth", "locked": true, "points": 3.0, "schema_version": 3, "solution": false, "task": false}
check(measure_growth)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-check-measure_growth", "locked": true, "schema_version": 3, "solution": false, "task": false}
# **Look.** The check handed your function an experiment like `Experiment` in `helpers.py`: its inputs are trifles and its
# costs are made up, but it notes everything that is done with it. Try one yourself. What do you expect the second line to
# say?

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-what_was_done", "locked": true, "schema_version": 3, "solution": false, "task": false}
pretend = Experiment({30: 2.5, 10: 0.5}, runs=2)
print(measure_growth(pretend.make_input, pretend.fn, [30, 10], pretend.cost))
print("done, in order:", ", ".join(pretend.order))
counts = pretend.runs_inside, pretend.runs_outside, pretend.runs_remembered
print("runs of fn inside the cost, outside, with gradients:", *counts)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-what_was_done", "locked": true, "schema_version": 3, "solution": false, "task": false}
# Now three ways to the same result. The first is attention as you know it. The second is PyTorch's own
# `F.scaled_dot_product_attention`, where everything is *fused* into a single operation. The third walks over the queries,
# 64 rows at a time, and forgets the scores of one piece before it begins the next.
#
# If you have your own attention from lesson 03, define it as `attention` in a cell of your own, let it return the output
# alone, and run from here on.

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-three_ways", "locked": true, "schema_version": 3, "solution": false, "task": false}
machine = "cuda" if torch.cuda.is_available() else "cpu"
wait = torch.cuda.synchronize if machine == "cuda" else None
sizes = [512, 1024, 2048, 4096, 8192] if machine == "cuda" else [64, 128, 256, 512, 1024]
rows = sizes[0]


def row_chunked(Q, K, V):
    """The same attention, a few rows of queries at a time."""
    return torch.cat([attention(part, K, V) for part in Q.split(rows, dim=-2)], dim=-2)


ways = {
    "plain": attention,
    "fused": scaled_dot_product_attention,
    f"{rows} " + "rows at a time": row_chunked,
}


def random_tokens(n):
    """Q, K and V in one tensor: batch 1, 4 heads, n tokens, 32 numbers each."""
    return torch.randn(3, 1, 4, n, 32, device=machine)


x = random_tokens(300)
for name, way in ways.items():
    agrees = torch.allclose(way(*x), attention(*x), atol=1e-4)
    print(f"{machine}, {name}:", "agrees with the plain way:", agrees)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-three_ways", "locked": true, "schema_version": 3, "solution": false, "task": false}
# Where PyTorch finds a GPU, it is used, with sizes and pieces eight times as large: at small ones a GPU would show you
# nothing but its fixed costs.
#
# **Predict.** The third way computes every score too, only not all at the same time. What do you expect of it?

# %%
ask("in_small_pieces", answer=...)

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-measured", "locked": true, "schema_version": 3, "solution": false, "task": false}
def in_milliseconds(call):
    """A cost: the median of 15 calls."""
    return 1e3 * median_time(call, repeats=15, synchronize=wait)


costs = {
    "operations": count_flops,
    "peak bytes": peak_bytes,
    "time (ms)": in_milliseconds,
}
measured = {}
if __name__ == "__main__":
    for quantity, cost in costs.items():
        measured[quantity] = {}
        for name, way in ways.items():

            def run(x, way=way):
                return way(*x)

            measured[quantity][name] = measure_growth(random_tokens, run, sizes, cost)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-measured", "locked": true, "schema_version": 3, "solution": false, "task": false}
# **Look.** Three quantities, each over n, with both axes logarithmic. The dotted lines are theory: your own formulas for the
# operations and for the bytes of the scores, and a plain n² for the time. Behind each name stands the exponent of its
# three largest sizes, from your fit.

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-three_plots", "locked": true, "schema_version": 3, "solution": false, "task": false}
theory = {
    "operations": ("your formula", [attention_flops(1, 4, n, n, 32, 32) for n in sizes]),
    "peak bytes": ("your formula", [score_bytes(1, 4, n, n, torch.float32) for n in sizes]),
}
figure, panels = plt.subplots(1, 3, figsize=(11.5, 5.0))
for axes, (quantity, curves) in zip(panels, measured.items(), strict=False):
    for (name, values), style in zip(curves.items(), ("o-", "s--", "^-."), strict=True):
        exponent = growth_exponent(sizes[-3:], values[-3:])
        axes.loglog(sizes, values, style, alpha=0.8, label=f"{name}: {exponent:.2f}")
    last = curves["plain"][-1]
    label, line = theory.get(quantity, ("n²", [last * (n / sizes[-1]) ** 2 for n in sizes]))
    axes.loglog(sizes, line, ":", color="gray", linewidth=3, label=label)
    axes.set(xlabel="n (tokens)", ylabel=quantity)
    axes.set_xticks(sizes, sizes)
    axes.minorticks_off()
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.17))
picture(figure,
    "Three log-log plots over n, each with the plain attention, the fused one and the one in "
    "pieces and a dotted line for the theory. Operations: all three lie on the theory. Bytes: "
    "plain runs parallel to the theory, the other two rise half as steeply. Time: all three near "
    "n² at the right and flatten towards the left."
)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-three_plots", "locked": true, "schema_version": 3, "solution": false, "task": false}
# Your numbers are not those of your neighbour, and nobody marks them. Discuss them:
#
# * *Operations.* All three lie on your formula, one on top of another. No way of computing it saves a single product.
# * *Bytes.* The plain way runs parallel to your formula, a factor of about two above. The others have an exponent near 1.
#   They hold only a few of the scores at any moment. (What the fused way holds inside its one operation `peak_bytes` does not
#   see. That is a small piece of the scores as well.)
# * *Time.* Towards the right it comes near the n² line. Towards the left it flattens: there you see what you learnt about
#   small n. The fused way does the same operations in less time, because less memory has to be moved. A zigzag
#   means that something else was running: measure again. If the plain way climbs faster than n² each time, memory is
#   the likely reason: its scores no longer fit into the processor's cache, and each of them takes longer to fetch.
# * *What would change* on another machine, with two sequences, in half precision? Change one thing, run the three cells
#   again, and see whether you were right.
#
# **Break it.** What if `measure_growth` left gradients on? Nothing would complain, and the results would be the same.
# Here is the way in pieces, measured once by your function and once without its precaution, and beside it the fused way
# without it. The inputs want gradients, as parameters do.

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-gradients_on", "locked": true, "schema_version": 3, "solution": false, "task": false}
def wanting_gradients(n):
    return random_tokens(n).requires_grad_()


def keeping(way):
    """Peak bytes of a way at each size, with gradients on."""
    inputs = [wanting_gradients(n) for n in sizes]
    return [peak_bytes(lambda x=x: way(*x)) for x in inputs]


if __name__ == "__main__":
    yours = measure_growth(wanting_gradients, lambda x: row_chunked(*x), sizes, peak_bytes)
    curves = {
        "in pieces, gradients off": (yours, "^-."),
        "in pieces, gradients on": (keeping(row_chunked), "o-"),
        "fused, gradients on": (keeping(scaled_dot_product_attention), "s--"),
    }
    figure, axes = plt.subplots(figsize=(6.5, 3.8))
    for name, (values, style) in curves.items():
        exponent = growth_exponent(sizes[-3:], values[-3:])
        axes.loglog(sizes, values, style, label=f"{name}: {exponent:.2f}")
    theory = [score_bytes(1, 4, n, n, torch.float32) for n in sizes]
    axes.loglog(sizes, theory, ":", color="gray", linewidth=3, label="your formula")
    axes.set(xlabel="n (tokens)", ylabel="peak bytes")
    axes.set_xticks(sizes, sizes)
    axes.minorticks_off()
    axes.legend()
picture(figure,
    "Peak bytes over n, both axes logarithmic. In pieces with gradients off, and fused with "
    "gradients on, rise like n. In pieces with gradients on bends upwards and nears the dotted n² "
    "line of your formula from above."
)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-gradients_on", "locked": true, "schema_version": 3, "solution": false, "task": false}
# Each piece still forgets its scores. Its *weights* are kept, for a backward pass that never comes, and with all pieces
# together that is the whole square again: the line bends upwards and nears your formula. Whoever measures like this
# reports that working in pieces hardly pays. The fused way goes on growing like n. It keeps one number for each query, and
# would compute the weights anew in a backward pass.
#
# A comparison with gradients on one side only is unfair. Here is another that is:

# %%
ask("two_reports", answer=...)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-ask-two_reports", "locked": true, "schema_version": 3, "solution": false, "task": false}
# > **A fair comparison changes one thing.** Same sizes, same dtype, same mask, same layout in memory, gradients off for
# > both, both warmed up and waited for. Write down every way in which two runs differ. What you want to know about should be
# > the only line.

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-ask-two_reports-2", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ## 7. What the counters miss
#
# A counter sees what it was taught to see. Here is PyTorch's counter as it comes, and after the stroke the one from
# `helpers.py`, on three functions that do the same kind of work.

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-uncounted", "locked": true, "schema_version": 3, "solution": false, "task": false}
def by_itself(call):
    """PyTorch's counter as it comes, told nothing."""
    from torch.utils.flop_counter import FlopCounterMode

    with FlopCounterMode(display=False) as counter:
        call()
    return counter.get_total_flops()


layer = torch.nn.MultiheadAttention(128, 4, batch_first=True, device=machine)
layer.eval().requires_grad_(requires_grad=False)
Q, K, V = random_tokens(256)
tokens = torch.randn(1, 256, 128, device=machine)
calls = {
    "plain": lambda: attention(Q, K, V),
    "fused": lambda: scaled_dot_product_attention(Q, K, V),
    "nn.MultiheadAttention": lambda: layer(tokens, tokens, tokens),
}
if __name__ == "__main__":
    for name, call in calls.items():
        print(f"{name}: {by_itself(call):,} / {count_flops(call):,}")

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-uncounted", "locked": true, "schema_version": 3, "solution": false, "task": false}
# On a CPU PyTorch's counter knows nothing of fused attention, and says 0. `count_flops` was told how to count it, which is
# why it could be used above. Neither knows the fast path of `nn.MultiheadAttention`, where the whole layer is a single
# operation. **A count of 0 means that nothing was seen, not that nothing was done.** Other tools watch only layers such as
# `nn.Linear`:

# %%
ask("a_straight_line", answer=...)

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-ask-a_straight_line", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ## 8. The whole novel
#
# Back to the first question. 16 letters or 300,000, in one layer of a middling model (12 heads, 768 wide): how many times
# as much does the novel cost, by your own formulas?

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "cell-whole_novel", "locked": true, "schema_version": 3, "solution": false, "task": false}
def layer_flops(n):
    """Operations of one layer, 768 wide: four projections, and the products of 12 heads."""
    return 4 * 2 * n * 768**2 + attention_flops(1, 12, n, n, 64, 64)


few, many = 16, 300_000
scores = score_count(1, 12, many, many) / score_count(1, 12, few, few)
work = layer_flops(many) / layer_flops(few)
print("letters, how many times as many:", f"{many / few:,.0f}")
print("scores, how many times as many:", f"{scores:,.0f}")
print("operations of one layer, how many times as many:", f"{work:,.0f}")
all_rows = score_bytes(1, 12, many, many, torch.float32) / 2**30
few_rows = score_bytes(1, 12, 64, many, torch.float32) / 2**30
print("all scores of one layer (GiB):", f"{all_rows:,.1f}")
print("64 rows of them (GiB):", f"{few_rows:,.1f}")
if __name__ == "__main__":
    seconds = measured["time (ms)"]["fused"][-1] / 1000
    carried_on = seconds * (many / sizes[-1]) ** 2
    print("seconds that your machine would need, fused, 4 heads:", f"{carried_on:,.0f}")

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-whole_novel", "locked": true, "schema_version": 3, "solution": false, "task": false}
# So it depends on what you count. There are nearly 20,000 times as many letters, and the square of that, 350 million times,
# as many scores. The work of the whole layer grows by less, some 3.6 million times: for the two sentences the projections
# cost about a hundred times as much as the products, and that is where the growth starts from. For the novel it is the
# products that cost more, two hundred times as much.
#
# All scores at once would fill fifty large GPUs, for a single layer. But nobody has to keep them: 64 rows at a time take
# less than one GiB. What remains is the work, however it is arranged. The last line carries your own measurement on by n².
# Models that read whole books do exist, and this is what they pay.

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-whole_novel-2", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ## In three sentences
#
# Attention computes one score for each pair of a query and a key, in every head of every sequence, so that a text twice as
# long makes four times as many, and the memory for them grows in the same way unless they are never all kept at once. While
# n is below about twice the width of the model, the projections cost more, and at small n fixed costs hide everything.
# Whoever measures warms up, waits, repeats, takes the median, goes to large n, and reads the exponent from a log-log slope.

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-cell-whole_novel-3", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ## In your own words
#
# A colleague shows you a plot: time over n for n = 8, 16, 32 and 64 on a GPU, one measurement each, a nearly flat line. "You
# see," says the colleague, "attention is not quadratic at all." What do you answer, in three to five sentences, and which
# measurement do you propose?

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": true, "grade_id": "write-flat_line", "locked": false, "points": 0, "schema_version": 3, "solution": true, "task": false}
# *Write your answer here.*

# %% [markdown] nbgrader={"cell_type": "markdown", "grade": false, "grade_id": "text-after-write-flat_line", "locked": true, "schema_version": 3, "solution": false, "task": false}
# ## What lies beyond
#
# With this lesson the core course ends. You have built attention from a dictionary to many heads, and you know what it
# costs. From here two roads lead on. One computes exactly the same and moves less memory; FlashAttention is its
# best-known name, and the fused way above is of its kind. The other gives something up, say by looking only at the
# neighbourhood, to escape n². Whichever you meet, ask of it what you asked here: which operations, which bytes, measured how,
# and compared with what?
