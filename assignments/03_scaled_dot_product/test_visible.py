"""What a learner may see and run. Sizes all differ, so that an axis mixed up shows."""

import pytest
import torch


def cycle(make, n):
    """A permutation of n tokens in which each moves, and which is not undone by doing it again."""
    order = make.permutation(n)
    moved = torch.empty_like(order)
    moved[order] = order.roll(1)
    return moved


@pytest.mark.points("softmax", 1)
def test_numbers_become_shares_along_the_last_axis(agree, make):
    agree.any_dtype.softmax(make.tensor(4, scale=2.0))
    agree.any_dtype.softmax(make.tensor(3, 5, scale=2.0))
    agree.any_dtype.softmax(make.tensor(2, 3, 4), dim=-1)


@pytest.mark.points("softmax", 1)
def test_the_axis_may_be_any_of_three(agree, make):
    x = make.tensor(2, 3, 5, scale=2.0)
    agree.any_dtype.softmax(x, dim=0)
    agree.any_dtype.softmax(x, dim=1)
    agree.any_dtype.softmax(x, dim=2)
    agree.any_dtype.softmax(x, dim=-2)


@pytest.mark.points("softmax", 0.5)
def test_very_large_numbers_get_finite_shares(agree, dtype, device):
    agree.any_dtype.softmax(
        torch.tensor([[1.0, 0.0], [1001.0, 1000.0], [-1000.0, -1001.0]], dtype=dtype, device=device)
    )


@pytest.mark.points("softmax", 0.75)
def test_the_gradients_of_the_shares_are_right(agree, make):
    agree.any_dtype.gradients.softmax(make.tensor(2, 3, 5, scale=2.0))
    agree.any_dtype.gradients.softmax(make.tensor(4, 6, scale=2.0), dim=0)


@pytest.mark.points("attention_scores", 1)
def test_every_query_meets_every_key(agree, make):
    agree.any_dtype.attention_scores(make.tensor(3, 7), make.tensor(4, 7))
    agree.any_dtype.attention_scores(make.tensor(2, 3, 5), make.tensor(2, 4, 5))


@pytest.mark.points("attention_scores", 0.5)
def test_wider_vectors_are_scaled_down_more(agree, make):
    for d_k in (2, 6, 40):
        agree.any_dtype.attention_scores(make.tensor(3, d_k), make.tensor(5, d_k))


@pytest.mark.points("attention", 1)
def test_values_are_mixed_by_their_weights(agree, make):
    agree.any_dtype.attention(make.tensor(3, 5), make.tensor(4, 5), make.tensor(4, 2))
    agree.any_dtype.attention(make.tensor(2, 3, 5), make.tensor(2, 4, 5), make.tensor(2, 4, 7))


@pytest.mark.points("attention", 0.5)
def test_values_of_one_give_ones(agree, make):
    output, weights = agree.any_dtype.attention(
        make.tensor(2, 3, 5), make.tensor(2, 4, 5), 0 * make.tensor(2, 4, 7) + 1
    )
    assert torch.allclose(output, torch.ones_like(output), atol=1e-4)
    assert torch.allclose(weights.sum(-1), torch.ones_like(weights[..., 0]), atol=1e-4)


@pytest.mark.points("attention", 0.5)
def test_a_sequence_may_look_at_itself(agree, make):
    x = make.tensor(2, 4, 6)
    agree.any_dtype.attention(x, x, x)


@pytest.mark.points("order_gap", 0.5)
def test_without_positions_there_is_no_gap(agree, make, helper):
    agree.order_gap(helper("mix_by_nearness"), make.tensor(2, 4, 5), cycle(make, 4))
    agree.order_gap(helper("double"), make.tensor(2, 3, 4), cycle(make, 3))


@pytest.mark.points("order_gap", 0.75)
def test_with_positions_the_largest_difference_is_found(agree, make, helper):
    agree.order_gap(helper("number_the_tokens"), make.tensor(2, 4, 5), cycle(make, 4))
    agree.order_gap(helper("mix_with_positions"), make.tensor(3, 5, 2), cycle(make, 5))


@pytest.mark.points("order_gap", 0.5)
def test_differences_count_in_both_directions(agree, make, helper, device):
    forward = torch.tensor([1, 2, 3, 4, 0], device=device)
    back = torch.tensor([4, 0, 1, 2, 3], device=device)
    x = make.tensor(3, 5, 4)
    agree.order_gap(helper("number_the_tokens"), x, forward)
    agree.order_gap(helper("number_the_tokens"), x, back)


@pytest.mark.points("order_gap", 0.5)
def test_looking_back_only_leaves_a_gap(agree, make, helper):
    agree.order_gap(helper("mix_with_earlier"), make.tensor(2, 4, 5), cycle(make, 4))
    agree.order_gap(helper("hand_on"), make.tensor(2, 4, 3), cycle(make, 4))
    agree.order_gap(helper("copy_the_last"), make.tensor(3, 5, 4), cycle(make, 5))
