"""Lesson 06: its formulas beside what PyTorch counts, and the numbers that its prose tells."""

import ast
import math
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
import torch
from torch.nn.functional import scaled_dot_product_attention
from torch.utils.flop_counter import FlopCounterMode

FOLDER = Path(__file__).resolve().parents[2] / "solutions" / "06_complexity"
SIZES = [64, 128, 256, 512, 1024]
SHAPES = [  # batch, heads, queries, keys, d_k, d_v
    (1, 1, 2, 2, 3, 3),
    (2, 3, 40, 70, 16, 16),
    (2, 3, 40, 70, 16, 24),
    (3, 2, 1, 50, 8, 8),
    (2, 1, 65, 5, 4, 12),
]


def loaded(name, source):
    module = ModuleType(name)
    exec(compile(source, name, "exec"), module.__dict__)
    return module


def definitions(source, *names):
    nodes = [node for node in ast.parse(source).body if getattr(node, "name", "") in names]
    return "import torch\n" + "\n".join(ast.unparse(node) for node in nodes)


helpers = loaded("helpers.py", (FOLDER / "helpers.py").read_text(encoding="utf-8"))
formulas = loaded("solution.py", (FOLDER / "solution.py").read_text(encoding="utf-8"))
CELLS = (FOLDER / "cells.py").read_text(encoding="utf-8")
ways = loaded("cells.py", "rows = 64\n" + definitions(CELLS, "attention", "row_chunked"))


def by_pytorch(call):
    with FlopCounterMode(display=False) as counter:
        call()
    return counter.get_total_flops()


def tensors(batch, heads, n_queries, n_keys, d_k, d_v, dtype=torch.float32):
    sizes = (n_queries, d_k), (n_keys, d_k), (n_keys, d_v)
    return [torch.randn(batch, heads, *each, dtype=dtype) for each in sizes]


def tokens(n):
    return torch.randn(3, 1, 4, n, 32)


def peaks(way, sizes=SIZES):
    return formulas.measure_growth(tokens, lambda x: way(*x), sizes, helpers.peak_bytes)


def peaks_with_gradients(way):
    inputs = [tokens(n).requires_grad_() for n in SIZES]
    return [helpers.peak_bytes(lambda x=x: way(*x)) for x in inputs]


def exponent(costs):
    """Of the three largest sizes, as in the lesson's plot."""
    return formulas.growth_exponent(SIZES[-3:], costs[-3:])


def scores_of(n):
    return formulas.score_bytes(1, 4, n, n, torch.float32)


# ------------------------------------------------------------------------------------------------------- operations


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_the_formula_gives_what_pytorch_counts_of_plain_attention(shape):
    given = tensors(*shape)
    assert by_pytorch(lambda: ways.attention(*given)) == formulas.attention_flops(*shape)


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("way", [ways.attention, scaled_dot_product_attention], ids=["plain", "fused"])
def test_the_counter_of_the_lesson_gives_the_formula(shape, way):
    given = tensors(*shape)
    assert helpers.count_flops(lambda: way(*given)) == formulas.attention_flops(*shape)


@pytest.mark.parametrize("n", [64, 100, 257])
def test_a_way_in_pieces_does_as_many_operations(n):
    given = tensors(2, 3, n, n + 9, 16, 24)
    assert helpers.count_flops(lambda: ways.row_chunked(*given)) == formulas.attention_flops(2, 3, n, n + 9, 16, 24)


def test_pytorchs_counter_sees_nothing_of_fused_attention_on_a_cpu():
    given = tensors(1, 4, 256, 256, 32, 32)
    assert by_pytorch(lambda: scaled_dot_product_attention(*given)) == 0


def test_no_counter_sees_the_fast_path_of_a_layer():
    layer = torch.nn.MultiheadAttention(128, 4, batch_first=True).eval().requires_grad_(requires_grad=False)
    x = torch.randn(1, 256, 128)
    assert by_pytorch(lambda: layer(x, x, x)) == helpers.count_flops(lambda: layer(x, x, x)) == 0


def test_what_runs_in_numpy_is_seen_by_no_counter():
    x = np.ones((50, 50))
    assert helpers.count_flops(lambda: x @ x) == helpers.peak_bytes(lambda: x @ x) == 0


@pytest.mark.parametrize("d_model", [96, 512, 768])
def test_projections_cost_more_up_to_twice_the_width_of_the_model(d_model):
    def projections(n):
        x, square = torch.randn(n, d_model), torch.randn(d_model, d_model)
        return 4 * helpers.count_flops(lambda: x @ square)

    def products(n):
        return formulas.attention_flops(1, 8, n, n, d_model // 8, d_model // 8)

    assert projections(2 * d_model) == products(2 * d_model)
    assert projections(2 * d_model - 1) > products(2 * d_model - 1)
    assert projections(2 * d_model + 1) < products(2 * d_model + 1)


# ------------------------------------------------------------------------------------------------------------ bytes


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.bfloat16], ids=str)
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_the_product_of_scores_takes_what_the_formula_says(shape, dtype):
    Q, K, _ = tensors(*shape, dtype=dtype)
    assert helpers.peak_bytes(lambda: Q @ K.transpose(-2, -1)) == formulas.score_bytes(*shape[:4], dtype)


@pytest.mark.parametrize("n", [300, 1000])
def test_the_whole_of_plain_attention_takes_about_twice_its_scores(n):
    (peak,) = peaks(ways.attention, [n])
    assert 2 <= peak / scores_of(n) < 2.2


def test_plain_attention_grows_like_the_square_and_the_others_like_the_length():
    assert 1.9 < exponent(peaks(ways.attention)) <= 2
    assert 0.95 < exponent(peaks(ways.row_chunked)) < 1.05
    assert 0.95 < exponent(peaks(scaled_dot_product_attention)) < 1.05


def test_with_gradients_a_way_in_pieces_keeps_all_weights():
    kept = peaks_with_gradients(ways.row_chunked)
    assert all(peak > scores_of(n) for n, peak in zip(SIZES, kept, strict=True))
    assert 1.75 < exponent(kept) < 2
    assert kept[-1] > 5 * peaks(ways.row_chunked)[-1]


def test_with_gradients_the_fused_way_keeps_no_weights():
    assert 0.95 < exponent(peaks_with_gradients(scaled_dot_product_attention)) < 1.05


def test_what_was_there_before_and_what_is_gone_is_not_added():
    x = torch.ones(100, 4)
    assert helpers.peak_bytes(lambda: x.T) == 0
    assert helpers.peak_bytes(lambda: [len(x + n) for n in range(5)]) == x.nbytes


def test_half_the_precision_buys_a_text_longer_by_the_root_of_two():
    assert math.isclose(1.4, math.sqrt(2), rel_tol=0.02)
    whole = formulas.score_bytes(1, 12, 10_000, 10_000, torch.float32)
    half = formulas.score_bytes(1, 12, 14_142, 14_142, torch.bfloat16)
    assert math.isclose(whole, half, rel_tol=1e-4)


# ------------------------------------------------------------------------------------------------- time, and a novel


def test_a_stopwatch_that_does_not_wait_shows_how_long_it_takes_to_ask():
    device = helpers.PretendDevice([10.0], launch=0.5)
    assert formulas.median_time(device.work, clock=device.clock) == 0.5
    device = helpers.PretendDevice([10.0], launch=0.5)
    assert formulas.median_time(device.work, clock=device.clock, synchronize=device.synchronize) == 10.5


def test_small_sizes_of_a_cost_with_overhead_deceive():
    lengths = [2**k for k in range(3, 14)]
    costs = [50 + n**2 / 1000 for n in lengths]
    assert formulas.growth_exponent(lengths[:4], costs[:4]) < 0.1
    assert formulas.growth_exponent(lengths[-4:], costs[-4:]) > 1.9


def test_two_sentences_are_256_scores_and_a_novel_350_million_times_as_many():
    n = len("吾輩は猫である。名前はまだ無い。")
    assert formulas.score_count(1, 1, n, n) == 256
    times = formulas.score_count(1, 1, 300_000, 300_000) / 256
    assert math.isclose(times, 350e6, rel_tol=0.01)


def test_the_work_of_a_layer_grows_by_less_as_the_projections_come_first():
    def projections(n):
        return 4 * 2 * n * 768**2

    def products(n):
        return formulas.attention_flops(1, 12, n, n, 64, 64)

    few, many = 16, 300_000
    assert math.isclose((projections(many) + products(many)) / (projections(few) + products(few)), 3.6e6, rel_tol=0.02)
    assert math.isclose(projections(few) / products(few), 100, rel_tol=0.05)
    assert math.isclose(products(many) / projections(many), 200, rel_tol=0.05)


def test_a_novels_scores_fill_fifty_large_gpus_and_64_rows_a_part_of_one():
    gibibyte = 2**30
    assert 50 < formulas.score_bytes(1, 12, 300_000, 300_000, torch.float32) / (80 * gibibyte) < 51
    assert formulas.score_bytes(1, 12, 64, 300_000, torch.float32) < gibibyte
