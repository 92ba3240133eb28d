"""What the learner may see and run. Sizes all differ, so that an axis mixed up shows."""

import pytest
import torch


@pytest.mark.points("project", 0.5)
@pytest.mark.dtypes("float32", "float64")
def test_every_token_is_multiplied_by_the_matrix(agree, make):
    agree.any_dtype.project(make.tensor(3, 5), make.tensor(5, 4))
    agree.any_dtype.project(make.tensor(2, 3, 5), make.tensor(5, 4))


@pytest.mark.points("qkv", 1)
@pytest.mark.dtypes("float32", "float64")
def test_queries_keys_and_values_come_in_this_order(agree, make):
    x, W_Q, W_K = make.tensor(3, 6), make.tensor(6, 4), make.tensor(6, 4)
    agree.any_dtype.qkv(x, W_Q, W_K, make.tensor(6, 9))
    agree.any_dtype.qkv(x, W_Q, W_K, make.tensor(6, 4))


@pytest.mark.points("qkv", 1)
def test_each_matrix_moves_only_its_own_result(agree, make):
    x, W_Q, W_K, W_V = make.tensor(2, 3, 6), make.tensor(6, 4), make.tensor(6, 4), make.tensor(6, 4)
    project = agree.any_dtype.qkv
    before = project(x, W_Q, W_K, W_V)
    assert moved(before, project(x, W_Q + 1, W_K, W_V)) == [True, False, False]
    assert moved(before, project(x, W_Q, W_K + 1, W_V)) == [False, True, False]
    assert moved(before, project(x, W_Q, W_K, W_V + 1)) == [False, False, True]


def moved(before, after):
    """Which of Q, K and V have changed."""
    return [not torch.allclose(one, other, atol=1e-4) for one, other in zip(before, after, strict=True)]


@pytest.mark.points("matrix_of", 1)
@pytest.mark.dtypes("float32", "float64")
def test_the_matrix_has_one_row_for_each_input(agree, make, dtype, device):
    linear = agree.helper.make_linear(5, 3, False, dtype, device)
    linear.load({"weight": make.tensor(3, 5)})
    agree.any_dtype.matrix_of(linear)


@pytest.mark.points("matrix_of", 1)
def test_x_times_the_matrix_plus_bias_is_the_layer(student, make, dtype, device):
    linear = student.helper.make_linear(4, 4, True, dtype, device)
    bias, x, weight = make.tensor(4), make.tensor(3, 4), make.tensor(4, 4)
    linear.load({"weight": weight, "bias": bias})
    W = student.any_dtype.matrix_of(linear)
    assert torch.allclose(x @ W + bias, torch.nn.functional.linear(x, weight, bias), atol=1e-4)


@pytest.mark.points("matrix_of", 0.75)
@pytest.mark.dtypes("float32", "float64")
def test_gradients_reach_the_weight_of_the_layer(agree, make, dtype, device):
    for d_in, d_out in ((5, 3), (4, 4)):
        linear = agree.helper.make_linear(d_in, d_out, False, dtype, device)
        linear.load({"weight": make.tensor(d_out, d_in)})
        agree.any_dtype.gradients.matrix_of(linear)


@pytest.mark.points("QKVProjection", 1)
def test_the_layer_holds_three_linear_layers_without_bias(agree, make):
    for d_model, d_k, d_v in ((8, 5, 3), (4, 6, 9)):
        layer = agree.any_dtype.QKVProjection(d_model, d_k, d_v)
        layers = agree.helper.layer_sizes(layer)
        for name in ("W_Q", "W_K", "W_V"):
            layers.get(name)
        # A description could be made up; what a layer does with drawn weights could not.
        agree.helper.prepare(layer, make.tensor(1))
        for name, width in (("W_Q", d_k), ("W_K", d_k), ("W_V", d_v)):
            layer.load({f"{name}.weight": make.tensor(width, d_model)})
            getattr(layer, name)(make.tensor(2, d_model))


@pytest.mark.points("QKVProjection", 1)
def test_the_layer_gives_queries_keys_and_values(agree, make):
    layer = agree.any_dtype.QKVProjection(8, 5, 3)
    x = make.tensor(2, 4, 8)
    agree.helper.prepare(layer, x)
    layer.load({"W_Q.weight": make.tensor(5, 8), "W_K.weight": make.tensor(5, 8), "W_V.weight": make.tensor(3, 8)})
    layer(x)


@pytest.mark.points("sinusoidal_positions", 1)
def test_even_columns_hold_sines_and_odd_columns_cosines(agree):
    agree.any_dtype.sinusoidal_positions(3, 4)
    agree.any_dtype.sinusoidal_positions(5, 6)


@pytest.mark.points("sinusoidal_positions", 1)
def test_start_moves_along_the_same_table(agree):
    agree.any_dtype.sinusoidal_positions(5, 6, start=2)
    agree.any_dtype.sinusoidal_positions(3, 6, start=4)
    agree.any_dtype.sinusoidal_positions(1, 8, start=13)


@pytest.mark.points("sinusoidal_positions", 0.5)
def test_the_table_is_float32(agree):
    agree.sinusoidal_positions(4, 6)
