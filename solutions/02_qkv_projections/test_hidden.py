"""What only the instructor runs: other axes, sizes that coincide, gradients, edges."""

import pytest


@pytest.mark.points("project", 0.5)
def test_x_may_have_any_number_of_leading_axes(agree, make):
    W = make.tensor(5, 4)
    agree.any_dtype.project(make.tensor(7, 5), W)
    agree.any_dtype.project(make.tensor(2, 7, 5), W)
    agree.any_dtype.project(make.tensor(2, 3, 7, 5), W)
    agree.any_dtype.project(make.tensor(2, 1, 3, 7, 5), W)


@pytest.mark.points("project", 0.5)
def test_a_square_matrix_is_not_turned(agree, make):
    agree.any_dtype.project(make.tensor(4, 4), make.tensor(4, 4))
    agree.any_dtype.project(make.tensor(4, 4, 4), make.tensor(4, 4))


@pytest.mark.points("project", 0.25)
def test_an_empty_batch_and_a_single_token_work(agree, make):
    W = make.tensor(5, 4)
    agree.any_dtype.project(make.tensor(0, 3, 5), W)
    agree.any_dtype.project(make.tensor(1, 1, 5), W)
    agree.any_dtype.project(make.tensor(2, 1, 5), W)
    agree.any_dtype.project(make.tensor(3, 1), make.tensor(1, 4))


@pytest.mark.points("project", 0.25)
def test_a_view_with_gaps_is_like_any_other(agree, make):
    W = make.tensor(5, 4)
    agree.any_dtype.project(agree.helper.every_second_row(make.tensor(2, 5, 5)), W)


@pytest.mark.points("project", 0.5)
@pytest.mark.dtypes("float32", "float64")
def test_gradients_reach_tokens_and_matrix(agree, make):
    agree.any_dtype.gradients.project(make.tensor(3, 5), make.tensor(5, 4))
    agree.any_dtype.gradients.project(make.tensor(2, 3, 5), make.tensor(5, 4))


@pytest.mark.points("project", 0.5)
@pytest.mark.dtypes("float32", "float64")
def test_tokens_keep_their_dtype(agree, make):
    agree.project(make.tensor(4, 2, 3), make.tensor(3, 5))


@pytest.mark.points("qkv", 0.75)
def test_batches_and_equal_widths_change_nothing(agree, make):
    agree.any_dtype.qkv(make.tensor(2, 3, 6), make.tensor(6, 5), make.tensor(6, 5), make.tensor(6, 12))
    agree.any_dtype.qkv(make.tensor(2, 5, 3, 4), make.tensor(4, 7), make.tensor(4, 7), make.tensor(4, 2))
    agree.any_dtype.qkv(make.tensor(0, 3, 6), make.tensor(6, 5), make.tensor(6, 5), make.tensor(6, 2))
    agree.any_dtype.qkv(make.tensor(4, 4), make.tensor(4, 4), make.tensor(4, 4), make.tensor(4, 4))
    agree.any_dtype.qkv(make.tensor(4, 4, 4), make.tensor(4, 4), make.tensor(4, 4), make.tensor(4, 4))


@pytest.mark.points("qkv", 0.75)
@pytest.mark.dtypes("float32", "float64")
def test_gradients_reach_tokens_and_all_three_matrices(agree, make):
    agree.any_dtype.gradients.qkv(make.tensor(2, 3, 6), make.tensor(6, 5), make.tensor(6, 5), make.tensor(6, 8))
    agree.any_dtype.gradients.qkv(make.tensor(4, 4), make.tensor(4, 4), make.tensor(4, 4), make.tensor(4, 4))


@pytest.mark.points("qkv", 0.5)
@pytest.mark.dtypes("float32", "float64")
def test_queries_keys_and_values_keep_the_dtype(agree, make):
    agree.qkv(make.tensor(4, 2, 3), make.tensor(3, 5), make.tensor(3, 5), make.tensor(3, 6))


@pytest.mark.points("matrix_of", 0.5)
def test_the_matrix_leaves_the_bias_out(agree, make, dtype, device):
    for d_in, d_out in ((3, 3), (6, 4), (1, 5), (4, 1)):
        linear = agree.helper.make_linear(d_in, d_out, True, dtype, device)
        linear.load({"weight": make.tensor(d_out, d_in), "bias": make.tensor(d_out)})
        agree.any_dtype.matrix_of(linear)


@pytest.mark.points("matrix_of", 0.25)
def test_the_layer_is_left_as_it_was(agree, make, dtype, device):
    linear = agree.helper.make_linear(5, 3, False, dtype, device)
    linear.load({"weight": make.tensor(3, 5)})
    agree.any_dtype.matrix_of(linear)
    linear.state()


@pytest.mark.points("matrix_of", 0.5)
@pytest.mark.dtypes("float32", "float64")
def test_the_matrix_keeps_the_dtype_of_the_layer(agree, make, dtype, device):
    linear = agree.helper.make_linear(3, 2, False, dtype, device)
    linear.load({"weight": make.tensor(2, 3)})
    agree.matrix_of(linear)


@pytest.mark.points("QKVProjection", 0.5)
def test_the_layer_gives_the_same_twice(agree, make):
    x = make.tensor(2, 3, 4)
    layer = agree.any_dtype.QKVProjection(4, 5, 6)
    agree.helper.prepare(layer, x)
    agree.helper.two_calls(layer, x).get("are")
    # That is the word of the process in which the layer runs; numbers are compared outside of it.
    layer.load(drawn(make, 4, 5, 6))
    layer(x)


@pytest.mark.points("QKVProjection", 0.75)
def test_the_layer_takes_any_number_of_leading_axes(agree, make):
    layer = loaded(agree.any_dtype, make, make.tensor(1), 6, 5, 8)
    for leading in ((), (2,), (2, 4), (0,), (1,)):
        layer(make.tensor(*leading, 3, 6))


@pytest.mark.points("QKVProjection", 0.5)
@pytest.mark.dtypes("float32", "float64")
def test_a_layer_stays_right_when_widths_coincide(agree, make):
    layer = loaded(agree.any_dtype, make, make.tensor(1), 4, 4, 4)
    layer(make.tensor(4, 4))
    layer(make.tensor(4, 4, 4))


@pytest.mark.points("QKVProjection", 0.75)
def test_gradients_reach_every_weight_of_the_layer(agree, make):
    loaded(agree.any_dtype, make, make.tensor(1), 8, 5, 3).gradients(make.tensor(2, 4, 8))
    loaded(agree.any_dtype, make, make.tensor(1), 4, 4, 4).gradients(make.tensor(4, 4))


@pytest.mark.points("QKVProjection", 0.5)
@pytest.mark.dtypes("float32", "float64")
def test_the_layer_keeps_the_dtype(agree, make):
    loaded(agree, make, make.tensor(1), 4, 3, 2)(make.tensor(3, 4))


def loaded(target, make, like, d_model, d_k, d_v):
    """A layer with drawn weights, in the dtype and on the device of `like`."""
    layer = target.QKVProjection(d_model, d_k, d_v)
    target.helper.prepare(layer, like)
    layer.load(drawn(make, d_model, d_k, d_v))
    return layer


def drawn(make, d_model, d_k, d_v):
    """Weights of the three layers, by name."""
    sizes = {"W_Q": d_k, "W_K": d_k, "W_V": d_v}
    return {f"{name}.weight": make.tensor(width, d_model) for name, width in sizes.items()}


@pytest.mark.points("sinusoidal_positions", 1)
def test_each_pair_of_columns_has_its_own_frequency(agree):
    agree.any_dtype.sinusoidal_positions(20, 10)
    agree.any_dtype.sinusoidal_positions(9, 34)
    agree.any_dtype.sinusoidal_positions(8, 8)


@pytest.mark.points("sinusoidal_positions", 0.25)
def test_one_position_and_two_columns_work(agree):
    agree.any_dtype.sinusoidal_positions(1, 2)
    agree.any_dtype.sinusoidal_positions(7, 2)


@pytest.mark.points("sinusoidal_positions", 0.25)
def test_a_late_start_continues_the_table(agree):
    agree.any_dtype.sinusoidal_positions(4, 12, start=9)
    agree.any_dtype.sinusoidal_positions(6, 4, start=90)
    agree.any_dtype.sinusoidal_positions(5, 6, start=0)
