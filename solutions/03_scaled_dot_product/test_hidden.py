"""What only the instructor runs."""

import pytest
import torch

FAR = {torch.float32: 512.0, torch.float64: 8192.0}  # beyond what exp can take, with enough digits left for shares


def far_apart(make, dtype, device, *shape):
    """Numbers of ordinary spread; where the last axis is the same, they lie together, and far from all others."""
    return make.tensor(*shape) + FAR[dtype] * torch.tensor([1.0, -1.0, 0.0, 1.5], dtype=dtype, device=device)


def cycle(make, n):
    """A permutation of n tokens in which each moves, and which is not undone by doing it again."""
    order = make.permutation(n)
    moved = torch.empty_like(order)
    moved[order] = order.roll(1)
    return moved


# ----------------------------------------------------------------------------------------------------------- softmax


@pytest.mark.points("softmax", 1)
def test_the_axis_may_be_any_of_four(agree, make):
    x = make.tensor(2, 3, 4, 5, scale=2.0)
    for dim in (0, 1, -2, 3):
        agree.any_dtype.softmax(x, dim=dim)
    cube = make.tensor(4, 4, 4, scale=2.0)
    for dim in (-3, 1, -1):
        agree.any_dtype.softmax(cube, dim=dim)


@pytest.mark.points("softmax", 1)
@pytest.mark.dtypes("float32", "float64")
def test_rows_far_from_each_other_are_all_shared_out_right(agree, make, dtype, device):
    agree.any_dtype.softmax(far_apart(make, dtype, device, 2, 5, 4).transpose(1, 2))
    agree.any_dtype.softmax(far_apart(make, dtype, device, 5, 4), dim=0)
    agree.any_dtype.softmax(far_apart(make, dtype, device, 3, 5, 4), dim=1)
    agree.any_dtype.softmax(far_apart(make, dtype, device, 3, 2, 4), dim=0)
    one_wins = torch.tensor([[-1e4, 1e4, 0.0], [0.0, -64.0, 1e4], [-1e4, -2e4, -3e4]], dtype=dtype, device=device)
    agree.any_dtype.softmax(one_wins)
    agree.any_dtype.softmax(one_wins, dim=0)


@pytest.mark.points("softmax", 0.5)
@pytest.mark.dtypes("float32", "float64", "bfloat16")
def test_shares_keep_the_dtype(agree, make):
    agree.softmax(make.tensor(2, 3, 7, scale=2.0))
    agree.softmax(make.tensor(4, 6, scale=2.0), dim=0)


@pytest.mark.points("softmax", 0.25)
def test_an_empty_batch_a_single_number_and_equal_ones_work(agree, make):
    agree.any_dtype.softmax(make.tensor(0, 3, 5))
    agree.any_dtype.softmax(make.tensor(4, 3, 1, scale=2.0))
    agree.any_dtype.softmax(0 * make.tensor(2, 3) - 2.0)
    agree.any_dtype.softmax(make.tensor(2, 3, scale=2.0))  # shares that are always equal are no softmax


# -------------------------------------------------------------------------------------------------- attention_scores


@pytest.mark.points("attention_scores", 0.75)
def test_scores_with_any_leading_axes(agree, make):
    agree.any_dtype.attention_scores(make.tensor(6, 11), make.tensor(2, 11))
    agree.any_dtype.attention_scores(make.tensor(5, 2, 7), make.tensor(5, 6, 7))
    agree.any_dtype.attention_scores(make.tensor(2, 3, 4, 10), make.tensor(2, 3, 6, 10))
    agree.any_dtype.attention_scores(make.tensor(0, 3, 5), make.tensor(0, 4, 5))


@pytest.mark.points("attention_scores", 0.5)
def test_scores_are_right_when_sizes_coincide(agree, make):
    agree.any_dtype.attention_scores(make.tensor(2, 4, 6), make.tensor(2, 4, 6))
    agree.any_dtype.attention_scores(make.tensor(5, 5), make.tensor(5, 5))
    agree.any_dtype.attention_scores(make.tensor(3, 3, 3, 3), make.tensor(3, 3, 3, 3))


@pytest.mark.points("attention_scores", 0.5)
def test_one_token_and_one_feature_work(agree, make):
    agree.any_dtype.attention_scores(make.tensor(3, 1, 5), make.tensor(3, 1, 5))
    agree.any_dtype.attention_scores(make.tensor(2, 3, 1), make.tensor(2, 4, 1))
    agree.any_dtype.attention_scores(make.tensor(1, 7), make.tensor(4, 7))


@pytest.mark.points("attention_scores", 0.25)
def test_views_of_other_tensors_are_scored_alike(agree, make):
    Q, K = make.tensor(2, 5, 3).transpose(1, 2), make.tensor(2, 8, 5)[:, ::2]
    agree.any_dtype.attention_scores(Q, K)
    heads = make.tensor(2, 4, 3, 5).transpose(1, 2)
    agree.any_dtype.attention_scores(heads, heads)


@pytest.mark.points("attention_scores", 0.75)
def test_the_gradients_of_the_scores_are_right(agree, make):
    agree.any_dtype.gradients.attention_scores(make.tensor(2, 3, 5), make.tensor(2, 4, 5))
    agree.any_dtype.gradients.attention_scores(make.tensor(3, 7), make.tensor(2, 7))


@pytest.mark.points("attention_scores", 0.75)
@pytest.mark.dtypes("float32", "float64", "bfloat16")
def test_scores_keep_the_dtype(agree, make):
    agree.attention_scores(make.tensor(2, 3, 5), make.tensor(2, 4, 5))


# --------------------------------------------------------------------------------------------------------- attention


@pytest.mark.points("attention", 0.5)
def test_attention_with_any_leading_axes(agree, make):
    agree.any_dtype.attention(make.tensor(3, 10), make.tensor(6, 10), make.tensor(6, 4))
    agree.any_dtype.attention(make.tensor(2, 3, 4, 5), make.tensor(2, 3, 6, 5), make.tensor(2, 3, 6, 7))
    agree.any_dtype.attention(make.tensor(4, 2, 17), make.tensor(4, 3, 17), make.tensor(4, 3, 5))
    turned = make.tensor(3, 2, 5).transpose(0, 1), make.tensor(2, 5, 4).mT, make.tensor(2, 8, 7)[:, ::2]
    agree.any_dtype.attention(*turned)


@pytest.mark.points("attention", 0.5)
def test_keys_and_values_reordered_together_change_nothing(agree, make):
    Q, K, V, order = make.tensor(2, 3, 5), make.tensor(2, 6, 5), make.tensor(2, 6, 7), make.permutation(6)
    output, weights = agree.any_dtype.attention(Q, K, V)
    other_output, other_weights = agree.any_dtype.attention(Q, K[:, order], V[:, order])
    assert torch.allclose(output, other_output, atol=1e-4)
    assert torch.allclose(weights[..., order], other_weights, atol=1e-4)


@pytest.mark.points("attention", 0.5)
def test_very_large_similarities_pick_one_value(agree, make, dtype, device):
    keys = 64.0 * torch.eye(6, dtype=dtype, device=device)[[3, 0, 5, 1]]  # (4, 6)
    queries = 4.0 * torch.stack([keys[2], -keys[1], 0 * keys[0]])  # one winner, one loser, all alike
    agree.any_dtype.attention(queries, keys, make.tensor(4, 7))
    agree.any_dtype.attention(torch.stack([queries, -queries]), torch.stack([keys, keys.flip(0)]), make.tensor(2, 4, 3))


@pytest.mark.points("attention", 0.5)
def test_gradients_reach_queries_keys_and_values(agree, make):
    agree.any_dtype.gradients.attention(make.tensor(2, 3, 5), make.tensor(2, 4, 5), make.tensor(2, 4, 7))
    agree.any_dtype.gradients.attention(make.tensor(3, 6), make.tensor(5, 6), make.tensor(5, 2))


@pytest.mark.points("attention", 0.5)
@pytest.mark.dtypes("float32", "float64", "bfloat16")
def test_attention_keeps_the_dtype(agree, make):
    agree.attention(make.tensor(2, 3, 5), make.tensor(2, 4, 5), make.tensor(2, 4, 7))


@pytest.mark.points("attention", 0.25)
def test_attention_is_right_when_sizes_coincide(agree, make):
    agree.any_dtype.attention(*(make.tensor(2, 4, 6) for _ in range(3)))
    agree.any_dtype.attention(*(make.tensor(5, 5, 5) for _ in range(3)))
    agree.any_dtype.attention(*(make.tensor(3, 3, 3, 3) for _ in range(3)))


@pytest.mark.points("attention", 0.25)
def test_one_token_an_empty_batch_and_a_second_call_work(agree, make):
    agree.any_dtype.attention(make.tensor(3, 1, 5), make.tensor(3, 1, 5), make.tensor(3, 1, 4))
    agree.any_dtype.attention(make.tensor(0, 3, 5), make.tensor(0, 4, 5), make.tensor(0, 4, 7))
    inputs = make.tensor(2, 1, 6), make.tensor(2, 5, 6), make.tensor(2, 5, 1)
    agree.any_dtype.attention(*inputs)
    agree.any_dtype.attention(*inputs)


# --------------------------------------------------------------------------------------------------------- order_gap


@pytest.mark.points("order_gap", 0.5)
def test_the_largest_difference_is_sought_in_every_sample(agree, make, helper, dtype, device):
    for loud in range(3):
        volume = torch.full((3, 1, 1), 0.25, dtype=dtype, device=device)
        volume[loud] = 8.0
        agree.order_gap(helper("mix_with_earlier"), volume * make.tensor(3, 4, 5), cycle(make, 4))
    agree.order_gap(helper("copy_the_last"), make.tensor(2, 3, 7), cycle(make, 3))


@pytest.mark.points("order_gap", 0.5)
def test_a_module_may_be_asked(agree, make):
    layer = agree.helper.LearnedPositions(6, 3)
    layer.load({"positions": make.tensor(6, 3)})
    agree.order_gap(layer, make.tensor(2, 6, 3), cycle(make, 6))
    agree.order_gap(layer, make.tensor(1, 6, 3), cycle(make, 6))


@pytest.mark.points("order_gap", 0.5)
def test_any_permutation_and_any_sizes_work(agree, make, helper, device):
    agree.order_gap(helper("mix_with_earlier"), make.tensor(4, 4, 4), cycle(make, 4))
    agree.order_gap(helper("mix_with_positions"), make.tensor(7, 3, 5), cycle(make, 3))
    agree.order_gap(helper("hand_on"), make.tensor(2, 9, 1), cycle(make, 9))
    agree.order_gap(helper("number_the_tokens"), make.tensor(2, 5, 6), torch.arange(5, device=device))
    agree.order_gap(helper("mix_with_positions"), make.tensor(3, 1, 2), torch.tensor([0], device=device))


@pytest.mark.points("order_gap", 0.25)
@pytest.mark.dtypes("float32", "float64")
def test_the_gap_is_one_number_in_either_dtype(agree, make, helper):
    agree.order_gap(helper("mix_by_nearness"), make.tensor(3, 6, 2), cycle(make, 6))
    agree.order_gap(helper("mix_with_earlier"), make.tensor(1, 5, 3), cycle(make, 5))
