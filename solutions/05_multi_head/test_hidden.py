"""What only the instructor runs: other axes, sizes that coincide, gradients, edges. True in a mask means hidden."""

import pytest

NAMES = ("W_Q", "W_K", "W_V", "W_O")


def matrix(make, d_model, scale=0.5, rows=None):
    """Numbers small enough for weights that are far from uniform and far from one-hot, however large the tokens."""
    return make.integers(-128, 128, rows or d_model, d_model).to(make.dtype) * (scale / 64.0)


def matrices(make, d_model, scale=0.5):
    """W_Q, W_K, W_V, W_O."""
    return tuple(matrix(make, d_model, scale) for _ in range(4))


def some_hidden(make, *shape):
    """A random mask in which every query sees two keys at least, and key 0 is hidden."""
    mask = make.booleans(*shape)
    mask[..., 0] = True
    mask[..., 1:3] = False
    return mask


def loaded(target, make, d_model, num_heads, bias=False):
    """A layer with drawn weights, in the dtype and on the device of this run."""
    layer = target.MultiHeadAttention(d_model, num_heads, **({"bias": True} if bias else {}))
    target.helper.prepare(layer, make.tensor(1))
    biases = {f"{name}.bias": make.tensor(d_model, scale=0.5) for name in NAMES} if bias else {}
    layer.load({f"{name}.weight": matrix(make, d_model) for name in NAMES} | biases)
    return layer


def copied(agree, make, device, d_model, num_heads, *, bias=True, batch_first=True):
    """A layer filled from PyTorch's, and that one: drawn weights, and biases that are not zero."""
    mine = agree.MultiHeadAttention(d_model, num_heads, bias=bias)
    theirs = agree.helper.make_mha(d_model, num_heads, bias, batch_first, device=device)
    agree.helper.prepare(mine, make.tensor(1))
    weights = {"in_proj_weight": matrix(make, d_model, rows=3 * d_model), "out_proj.weight": matrix(make, d_model)}
    biases = {"in_proj_bias": make.tensor(3 * d_model), "out_proj.bias": make.tensor(d_model)} if bias else {}
    theirs.load(weights | biases)
    agree.effects.copy_weights(mine, theirs)
    return mine, theirs


# ------------------------------------------------------------------------------------------------------- split_heads


@pytest.mark.points("split_heads", 0.25)
def test_fewer_than_one_head_is_refused(agree, make):
    for num_heads in (0, -1, -2):
        agree.raises(ValueError).split_heads(make.tensor(2, 3, 4), num_heads)


@pytest.mark.points("split_heads", 0.5)
def test_any_number_of_heads_that_divides(agree, make):
    agree.any_dtype.split_heads(make.tensor(2, 3, 6), 1)
    agree.any_dtype.split_heads(make.tensor(2, 3, 6), 6)
    agree.any_dtype.split_heads(make.tensor(3, 1, 8), 2)
    agree.any_dtype.split_heads(make.tensor(3, 3, 9), 3)
    agree.any_dtype.split_heads(make.tensor(4, 7, 20), 4)


@pytest.mark.points("split_heads", 0.25)
def test_an_empty_batch_is_split(agree, make):
    agree.any_dtype.split_heads(make.tensor(0, 3, 6), 2)


@pytest.mark.points("split_heads", 0.25)
def test_gradients_pass_through_the_split(agree, make):
    agree.any_dtype.gradients.split_heads(make.tensor(2, 5, 6), 3)
    agree.any_dtype.split_heads(agree.helper.every_second_row(make.tensor(2, 5, 6)), 3)


@pytest.mark.points("split_heads", 0.25)
@pytest.mark.dtypes("float32", "float64", "bfloat16")
def test_pieces_keep_the_dtype(agree, make):
    agree.split_heads(make.tensor(2, 3, 4), 2)


# ------------------------------------------------------------------------------------------------------- merge_heads


@pytest.mark.points("merge_heads", 0.75)
def test_heads_of_any_number_and_width_are_merged(agree, make):
    agree.any_dtype.merge_heads(make.tensor(2, 1, 3, 6))
    agree.any_dtype.merge_heads(make.tensor(2, 6, 3, 1))
    agree.any_dtype.merge_heads(make.tensor(3, 2, 1, 4))
    agree.any_dtype.merge_heads(make.tensor(3, 3, 3, 3))
    agree.any_dtype.merge_heads(make.tensor(4, 4, 7, 5))


@pytest.mark.points("merge_heads", 0.25)
def test_an_empty_batch_is_merged(agree, make):
    agree.any_dtype.merge_heads(make.tensor(0, 2, 3, 5))


@pytest.mark.points("merge_heads", 0.25)
def test_gradients_pass_through_the_merge(agree, make):
    agree.any_dtype.gradients.merge_heads(make.tensor(2, 3, 4, 5))
    agree.any_dtype.merge_heads(agree.helper.every_second_row(make.tensor(2, 3, 7, 5)))


@pytest.mark.points("merge_heads", 0.25)
@pytest.mark.dtypes("float32", "float64", "bfloat16")
def test_merged_tokens_keep_the_dtype(agree, make):
    agree.merge_heads(make.tensor(2, 3, 4, 5))


# ---------------------------------------------------------------------------------------------- multi_head_attention


@pytest.mark.points("multi_head_attention", 0.5)
def test_masks_of_every_shape_are_broadcast(agree, make):
    x, weights = make.tensor(2, 5, 9, scale=0.5), matrices(make, 9)
    for shape in [(5,), (5, 5), (2, 1, 1, 5), (2, 1, 5, 5), (3, 1, 5), (3, 5, 5), (2, 3, 5, 5)]:
        agree.any_dtype.multi_head_attention(x, *weights, 3, mask=some_hidden(make, *shape))
    one_head_blind = some_hidden(make, 3, 5, 5)
    one_head_blind[1, 2] = True  # the other heads see
    agree.any_dtype.multi_head_attention(x, *weights, 3, mask=one_head_blind)
    square = make.tensor(3, 4, 6, scale=0.5)  # B = H: a mask on the wrong axis fits
    agree.any_dtype.multi_head_attention(square, *matrices(make, 6), 3, mask=some_hidden(make, 3, 1, 4)[:, None])
    agree.any_dtype.multi_head_attention(square, *matrices(make, 6), 3, mask=some_hidden(make, 3, 4, 4))


@pytest.mark.points("multi_head_attention", 0.25)
def test_gradients_reach_the_tokens_and_all_four_matrices(agree, make):
    agree.any_dtype.gradients.multi_head_attention(make.tensor(2, 3, 10, scale=0.5), *matrices(make, 10), 2)
    mask = some_hidden(make, 2, 1, 4, 4)
    mask[0, 0, 2] = mask[1, 0, 0] = True  # two tokens see nothing
    agree.any_dtype.gradients.multi_head_attention(make.tensor(2, 4, 6, scale=0.5), *matrices(make, 6), 3, mask=mask)


@pytest.mark.points("multi_head_attention", 0.5)
def test_one_head_and_as_many_heads_as_features(agree, make):
    agree.any_dtype.multi_head_attention(make.tensor(2, 3, 5, scale=0.5), *matrices(make, 5), 1)
    agree.any_dtype.multi_head_attention(make.tensor(2, 3, 5, scale=0.5), *matrices(make, 5), 5)
    agree.any_dtype.multi_head_attention(make.tensor(3, 4, 20, scale=0.5), *matrices(make, 20, scale=0.25), 2)


@pytest.mark.points("multi_head_attention", 0.25)
def test_sizes_that_coincide_change_nothing(agree, make):
    agree.any_dtype.multi_head_attention(make.tensor(3, 3, 9, scale=0.5), *matrices(make, 9), 3)
    agree.any_dtype.multi_head_attention(
        make.tensor(3, 3, 9, scale=0.5), *matrices(make, 9), 3, mask=some_hidden(make, 3, 1, 3)[:, None]
    )
    agree.any_dtype.multi_head_attention(make.tensor(2, 2, 4, scale=0.5), *matrices(make, 4), 2)


@pytest.mark.points("multi_head_attention", 0.25)
def test_one_token_no_sentence_and_rows_with_gaps(agree, make):
    agree.any_dtype.multi_head_attention(make.tensor(3, 1, 6, scale=0.5), *matrices(make, 6), 2)
    agree.any_dtype.multi_head_attention(make.tensor(0, 3, 6), *matrices(make, 6), 2)
    rows = agree.helper.every_second_row(make.tensor(2, 7, 6, scale=0.5))
    agree.any_dtype.multi_head_attention(rows, *matrices(make, 6), 2)


@pytest.mark.points("multi_head_attention", 0.25)
@pytest.mark.dtypes("float32", "float64", "bfloat16")
def test_attention_keeps_the_dtype(agree, make):
    x = make.tensor(2, 3, 6, scale=0.25)  # scores near each other: digits are judged elsewhere
    agree.multi_head_attention(x, *matrices(make, 6), 2, mask=some_hidden(make, 3, 3))


@pytest.mark.points("multi_head_attention", 0.25)
def test_heads_that_do_not_divide_the_features_are_refused(agree, make):
    for num_heads in (4, 0):
        agree.raises(ValueError).multi_head_attention(make.tensor(2, 3, 6), *matrices(make, 6), num_heads)


# ------------------------------------------------------------------------------------------------ MultiHeadAttention


@pytest.mark.points("MultiHeadAttention", 0.25)
def test_the_layer_broadcasts_masks_of_every_shape(agree, make):
    layer = loaded(agree.any_dtype, make, 6, 3)
    nothing = some_hidden(make, 3, 1, 4, 4)
    nothing[0, 0, 1] = True
    for mask in (some_hidden(make, 3, 1, 4)[:, None], some_hidden(make, 3, 4, 4), nothing):
        layer(make.tensor(3, 4, 6, scale=0.5), mask=mask)
    rows = {"W_Q.weight": matrix(make, 6), "W_K.weight": matrix(make, 6)}
    for row in (0, 2, 4):  # one of each head: each score is lower by about 180
        rows["W_Q.weight"][row] = rows["W_K.weight"][row] = 0.0
        rows["W_Q.weight"][row, 0], rows["W_K.weight"][row, 0] = -16.0, 16.0
    layer.load(rows)
    x = make.tensor(2, 4, 6, scale=0.5)
    x[..., 0] = 1.0
    layer(x, mask=some_hidden(make, 4, 4))


@pytest.mark.points("MultiHeadAttention", 0.25)
def test_the_layer_gives_the_same_twice(agree, make):
    layer, x = agree.any_dtype.MultiHeadAttention(4, 2), make.tensor(2, 3, 4)
    agree.helper.prepare(layer, x)
    agree.helper.two_calls(layer, x)
    layer(x)  # "equal" could be made up; these numbers could not


@pytest.mark.points("MultiHeadAttention", 0.5)
def test_a_layer_of_any_sizes(agree, make):
    layer = loaded(agree.any_dtype, make, 9, 3)
    layer(make.tensor(3, 3, 9, scale=0.5))
    layer(make.tensor(2, 1, 9, scale=0.5))
    layer(make.tensor(0, 4, 9, scale=0.5))
    loaded(agree.any_dtype, make, 5, 5, bias=True)(make.tensor(2, 3, 5, scale=0.5))


@pytest.mark.points("MultiHeadAttention", 0.25)
def test_gradients_reach_every_weight_of_the_layer(agree, make):
    layer = loaded(agree.any_dtype, make, 6, 3, bias=True)
    layer.gradients(make.tensor(2, 4, 6, scale=0.5), mask=some_hidden(make, 4, 4))


@pytest.mark.points("MultiHeadAttention", 0.25)
@pytest.mark.dtypes("float32", "float64", "bfloat16")
def test_the_layer_keeps_the_dtype(agree, make):
    loaded(agree, make, 6, 2)(make.tensor(2, 3, 6, scale=0.25))


# ------------------------------------------------------------------------------------------------------ copy_weights


@pytest.mark.points("copy_weights", 0.5)
def test_a_layer_without_biases_is_copied(agree, make, device):
    mine, _ = copied(agree, make, device, 6, 2, bias=False)
    mine(make.tensor(3, 5, 6, scale=0.5))


@pytest.mark.points("copy_weights", 0.25)
def test_batch_first_makes_no_difference_to_weights(agree, make, device):
    mine, _ = copied(agree, make, device, 4, 2, batch_first=False)
    mine(make.tensor(3, 5, 4, scale=0.5))


@pytest.mark.points("copy_weights", 0.25)
def test_the_copied_weights_can_be_trained(agree, make, device):
    mine, _ = copied(agree, make, device, 6, 2)
    mine.gradients(make.tensor(2, 3, 6, scale=0.5))


@pytest.mark.points("copy_weights", 0.25)
def test_their_layer_is_left_as_it_was(agree, make, device):
    _, theirs = copied(agree, make, device, 4, 2)
    theirs.state()
