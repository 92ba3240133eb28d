"""Pictures and measurements made with what the learner has written: `score_count` and its like are theirs."""

# ruff: noqa: F821, T201

import matplotlib.pyplot as plt
import torch
from helpers import Experiment, PretendDevice, count_flops, peak_bytes
from torch.nn.functional import scaled_dot_product_attention

from autograder.learn.picture import picture

# %% nested_squares
figure, axes = plt.subplots(figsize=(6.5, 4))
for n in (128, 64, 32, 16):
    label = f"n = {n}: {score_count(1, 1, n, n):,} " + message("scores")
    axes.fill([0, n, n, 0], [0, 0, n, n], alpha=0.45, label=label)
axes.set(xlabel=message("keys"), ylabel=message("queries"), aspect="equal")
axes.invert_yaxis()
axes.legend(loc="upper left", bbox_to_anchor=(1.02, 1))
picture(figure, message("nested_squares_alt"))


# %% against_the_counter
def attention(Q, K, V):
    scores = Q @ K.transpose(-2, -1) / Q.shape[-1] ** 0.5  # (..., n_q, n_k)
    return scores.softmax(dim=-1) @ V  # (..., n_q, d_v)


torch.manual_seed(6)
Q, K, V = torch.randn(2, 3, 40, 16), torch.randn(2, 3, 70, 16), torch.randn(2, 3, 70, 24)
print(message("by_your_formula"), f"{attention_flops(2, 3, 40, 70, 16, 24):,}")
if __name__ == "__main__":  # while you look, not while a file is graded
    print(message("by_the_counter"), f"{count_flops(lambda: attention(Q, K, V)):,}")

# %% projections_and_products
d_model, heads = 512, 8
lengths = [2**k for k in range(5, 15)]
projections = [4 * 2 * n * d_model**2 for n in lengths]  # four matrices
products = [attention_flops(1, heads, n, n, d_model // heads, d_model // heads) for n in lengths]
figure, axes = plt.subplots(figsize=(6.5, 3.6))
axes.loglog(lengths, projections, "s--", label=message("four_projections"))
axes.loglog(lengths, products, "o-", label=message("two_products"))
axes.axvline(2 * d_model, color="gray", linestyle=":", label="n = 2 · d_model")
axes.set(xlabel=message("length_n"), ylabel=message("operations"))
axes.legend()
picture(figure, message("projections_alt"))

# %% beside_a_real_tensor
Q, K, V = torch.randn(3, 2, 4, 300, 16)
print(message("scores_by_your_formula"), f"{score_bytes(2, 4, 300, 300, torch.float32):,}")
print(message("one_product_measured"), f"{peak_bytes(lambda: Q @ K.transpose(-2, -1)):,}")
print(message("attention_measured"), f"{peak_bytes(lambda: attention(Q, K, V)):,}")

# %% bytes_of_long_texts
lengths = [2**k for k in range(4, 20)]
figure, axes = plt.subplots(figsize=(6.5, 3.8))
for dtype, style in ((torch.float32, "o-"), (torch.bfloat16, "s--")):
    gibibytes = [score_bytes(1, 12, n, n, dtype) / 2**30 for n in lengths]
    axes.loglog(lengths, gibibytes, style, label=str(dtype))
axes.axhline(80, color="gray", linestyle=":", label=message("large_gpu"))
axes.set(xlabel=message("length_n"), ylabel=message("gibibytes"))
axes.legend()
picture(figure, message("long_texts_alt"))

# %% stopwatch_without_waiting
device = PretendDevice([10.0], launch=0.5)
seconds = median_time(device.work, clock=device.clock)
print(message("not_waiting"), seconds)
device = PretendDevice([10.0], launch=0.5)
seconds = median_time(device.work, clock=device.clock, synchronize=device.synchronize)
print(message("waiting"), seconds)

# %% every_single_call
half = torch.randn(3, 1, 4, 256, 32).bfloat16()
calls = range(1, 41)
torch.set_num_threads(1)
if __name__ == "__main__":
    milliseconds = [1e3 * median_time(lambda: attention(*half), repeats=1, warmup=0) for _ in calls]
    figure, axes = plt.subplots(figsize=(6.5, 3.2))
    axes.semilogy(calls, milliseconds, "o")
    axes.axhline(sorted(milliseconds)[20], color="gray", linestyle=":", label=message("median"))
    axes.set(xlabel=message("number_of_call"), ylabel=message("milliseconds"))
    axes.legend()
picture(figure, message("every_call_alt"))

# %% fit_over_points
torch.manual_seed(6)
lengths = [100, 130, 180, 250, 330, 450, 600, 800, 1100, 1500, 2000, 2700]
chance = (0.3 * torch.randn(12)).exp().tolist()
milliseconds = [n**2 / 10_000 * factor for n, factor in zip(lengths, chance, strict=True)]
p = growth_exponent(lengths, milliseconds)
x, y = torch.tensor(lengths).log(), torch.tensor(milliseconds).log()
c = (y - p * x).mean().exp().item()  # the line goes through the middle of the points
figure, panels = plt.subplots(1, 2, figsize=(9.5, 3.6))
for axes in panels:
    axes.plot(lengths, milliseconds, "o", label=message("scattered"))
    axes.plot(lengths, [c * n**p for n in lengths], "--", label=message("your_fit") + f" {p:.2f}")
    axes.set(xlabel=message("length_n"), ylabel=message("milliseconds"))
    axes.legend()
panels[1].set(xscale="log", yscale="log")
picture(figure, message("fit_alt"))

# %% small_n_deceives
lengths = [2**k for k in range(3, 14)]
microseconds = [50 + n**2 / 1000 for n in lengths]
small = growth_exponent(lengths[:4], microseconds[:4])
large = growth_exponent(lengths[-4:], microseconds[-4:])
figure, axes = plt.subplots(figsize=(6.5, 3.6))
axes.loglog(lengths, microseconds, "o-", label=message("made_up"))
axes.loglog(lengths[4:], [n**2 / 1000 for n in lengths[4:]], ":", color="gray", label="n²")
axes.set(xlabel=message("length_n"), ylabel=message("microseconds"))
axes.legend()
print(message("first_four"), f"{small:.2f}")
print(message("last_four"), f"{large:.2f}")
picture(figure, message("small_n_alt"))

# %% what_was_done
pretend = Experiment({30: 2.5, 10: 0.5}, runs=2)
print(measure_growth(pretend.make_input, pretend.fn, [30, 10], pretend.cost))
print(message("in_order"), ", ".join(pretend.order))
counts = pretend.runs_inside, pretend.runs_outside, pretend.runs_remembered
print(message("runs"), *counts)


# %% three_ways
machine = "cuda" if torch.cuda.is_available() else "cpu"
wait = torch.cuda.synchronize if machine == "cuda" else None
sizes = [512, 1024, 2048, 4096, 8192] if machine == "cuda" else [64, 128, 256, 512, 1024]
rows = sizes[0]


def row_chunked(Q, K, V):
    """The same attention, a few rows of queries at a time."""
    return torch.cat([attention(part, K, V) for part in Q.split(rows, dim=-2)], dim=-2)


ways = {
    message("plain"): attention,
    message("fused"): scaled_dot_product_attention,
    f"{rows} " + message("chunked"): row_chunked,
}


def random_tokens(n):
    """Q, K and V in one tensor: batch 1, 4 heads, n tokens, 32 numbers each."""
    return torch.randn(3, 1, 4, n, 32, device=machine)


x = random_tokens(300)
for name, way in ways.items():
    agrees = torch.allclose(way(*x), attention(*x), atol=1e-4)
    print(f"{machine}, {name}:", message("agrees"), agrees)


# %% measured
def in_milliseconds(call):
    """A cost: the median of 15 calls."""
    return 1e3 * median_time(call, repeats=15, synchronize=wait)


costs = {
    message("operations"): count_flops,
    message("bytes"): peak_bytes,
    message("milliseconds"): in_milliseconds,
}
measured = {}
if __name__ == "__main__":
    for quantity, cost in costs.items():
        measured[quantity] = {}
        for name, way in ways.items():

            def run(x, way=way):
                return way(*x)

            measured[quantity][name] = measure_growth(random_tokens, run, sizes, cost)

# %% three_plots
theory = {
    message("operations"): (message("your_formula"), [attention_flops(1, 4, n, n, 32, 32) for n in sizes]),
    message("bytes"): (message("your_formula"), [score_bytes(1, 4, n, n, torch.float32) for n in sizes]),
}
figure, panels = plt.subplots(1, 3, figsize=(11.5, 5.0))
for axes, (quantity, curves) in zip(panels, measured.items(), strict=False):
    for (name, values), style in zip(curves.items(), ("o-", "s--", "^-."), strict=True):
        exponent = growth_exponent(sizes[-3:], values[-3:])
        axes.loglog(sizes, values, style, alpha=0.8, label=f"{name}: {exponent:.2f}")
    last = curves[message("plain")][-1]
    label, line = theory.get(quantity, ("n²", [last * (n / sizes[-1]) ** 2 for n in sizes]))
    axes.loglog(sizes, line, ":", color="gray", linewidth=3, label=label)
    axes.set(xlabel=message("length_n"), ylabel=quantity)
    axes.set_xticks(sizes, sizes)
    axes.minorticks_off()
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.17))
picture(figure, message("three_plots_alt"))


# %% gradients_on
def wanting_gradients(n):
    return random_tokens(n).requires_grad_()


def keeping(way):
    """Peak bytes of a way at each size, with gradients on."""
    inputs = [wanting_gradients(n) for n in sizes]
    return [peak_bytes(lambda x=x: way(*x)) for x in inputs]


if __name__ == "__main__":
    yours = measure_growth(wanting_gradients, lambda x: row_chunked(*x), sizes, peak_bytes)
    curves = {
        message("pieces_without"): (yours, "^-."),
        message("pieces_with"): (keeping(row_chunked), "o-"),
        message("fused_with"): (keeping(scaled_dot_product_attention), "s--"),
    }
    figure, axes = plt.subplots(figsize=(6.5, 3.8))
    for name, (values, style) in curves.items():
        exponent = growth_exponent(sizes[-3:], values[-3:])
        axes.loglog(sizes, values, style, label=f"{name}: {exponent:.2f}")
    theory = [score_bytes(1, 4, n, n, torch.float32) for n in sizes]
    axes.loglog(sizes, theory, ":", color="gray", linewidth=3, label=message("your_formula"))
    axes.set(xlabel=message("length_n"), ylabel=message("bytes"))
    axes.set_xticks(sizes, sizes)
    axes.minorticks_off()
    axes.legend()
picture(figure, message("gradients_on_alt"))


# %% uncounted
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
    message("plain"): lambda: attention(Q, K, V),
    message("fused"): lambda: scaled_dot_product_attention(Q, K, V),
    "nn.MultiheadAttention": lambda: layer(tokens, tokens, tokens),
}
if __name__ == "__main__":
    for name, call in calls.items():
        print(f"{name}: {by_itself(call):,} / {count_flops(call):,}")


# %% whole_novel
def layer_flops(n):
    """Operations of one layer, 768 wide: four projections, and the products of 12 heads."""
    return 4 * 2 * n * 768**2 + attention_flops(1, 12, n, n, 64, 64)


few, many = 16, 300_000
scores = score_count(1, 12, many, many) / score_count(1, 12, few, few)
work = layer_flops(many) / layer_flops(few)
print(message("times_letters"), f"{many / few:,.0f}")
print(message("times_scores"), f"{scores:,.0f}")
print(message("times_work"), f"{work:,.0f}")
all_rows = score_bytes(1, 12, many, many, torch.float32) / 2**30
few_rows = score_bytes(1, 12, 64, many, torch.float32) / 2**30
print(message("all_at_once"), f"{all_rows:,.1f}")
print(message("a_few_rows"), f"{few_rows:,.1f}")
if __name__ == "__main__":
    seconds = measured[message("milliseconds")][message("fused")][-1] / 1000
    carried_on = seconds * (many / sizes[-1]) ** 2
    print(message("carried_on"), f"{carried_on:,.0f}")
