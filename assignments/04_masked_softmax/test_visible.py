"""What a learner may see and run. True in a mask means hidden."""

import pytest
import torch


def some_hidden(make, *shape):
    """A random mask in which every query sees two keys at least, and key 0 is hidden."""
    mask = make.booleans(*shape)
    mask[..., 0] = True
    mask[..., 1:3] = False
    return mask


def weight_matrices(make, d_model=6, d_k=5, d_v=3):
    """W_Q, W_K, W_V, small enough for weights that are far from uniform and far from one-hot."""
    return make.tensor(d_model, d_k, scale=0.5), make.tensor(d_model, d_k, scale=0.5), make.tensor(d_model, d_v)


@pytest.mark.points("causal_mask", 1)
def test_future_keys_are_hidden(agree):
    agree.causal_mask(5)
    agree.causal_mask(2)


@pytest.mark.points("causal_mask", 1)
def test_queries_are_the_last_positions(agree):
    agree.causal_mask(3, n_keys=7)
    agree.causal_mask(1, n_keys=4)


@pytest.mark.points("causal_mask", 0.5)
def test_early_queries_without_keys_see_nothing(agree):
    agree.causal_mask(6, n_keys=4)
    agree.causal_mask(4, n_keys=1)


@pytest.mark.points("padding_mask", 1.5)
def test_keys_from_each_length_on_are_hidden(agree, device):
    agree.padding_mask(torch.tensor([3, 5, 1], device=device), 6)
    agree.padding_mask(torch.tensor([2, 4], device=device), 5)


@pytest.mark.points("masked_softmax", 1)
def test_without_a_mask_each_row_is_a_softmax(agree, make):
    agree.any_dtype.masked_softmax(make.tensor(2, 3, 5, scale=2.0))
    agree.any_dtype.masked_softmax(make.tensor(4, 4, scale=2.0))
    agree.any_dtype.masked_softmax(make.tensor(2, 3, 1, 4, scale=2.0))


@pytest.mark.points("masked_softmax", 1)
def test_hidden_keys_get_no_weight(agree, make, device):
    mask = torch.tensor([[0, 1, 0, 0, 1], [1, 1, 0, 1, 1], [0, 0, 0, 0, 1]], dtype=torch.bool, device=device)
    weights = agree.any_dtype.masked_softmax(make.tensor(2, 3, 5, scale=2.0), mask=mask)
    assert (weights[:, mask] == 0).all()


@pytest.mark.points("masked_softmax", 0.5)
def test_a_query_that_sees_nothing_gets_zeros(agree, make, device):
    mask = torch.tensor([[0, 1, 0, 1], [1, 1, 1, 1], [1, 0, 0, 0]], dtype=torch.bool, device=device)
    weights = agree.any_dtype.masked_softmax(make.tensor(2, 3, 4, scale=2.0), mask=mask)
    assert (weights[:, 1] == 0).all()


@pytest.mark.points("masked_softmax", 0.5)
def test_only_the_differences_of_scores_count(agree, make, dtype, device):
    level = torch.tensor([[0.0], [1000.0], [-1000.0]], dtype=dtype, device=device)  # of each query's scores
    mask = torch.tensor([[0, 0, 1, 0], [1, 0, 0, 0], [0, 1, 0, 1]], dtype=torch.bool, device=device)
    agree.any_dtype.masked_softmax(make.tensor(3, 5, scale=2.0) + level)
    agree.any_dtype.masked_softmax(make.tensor(3, 4, scale=2.0) + level, mask=mask)


@pytest.mark.points("masked_softmax", 0.25)
def test_a_query_that_sees_nothing_has_finite_gradients(agree, make, device):
    mask = torch.tensor([[1, 1, 1, 1], [0, 0, 1, 0]], dtype=torch.bool, device=device)
    agree.any_dtype.gradients.masked_softmax(make.tensor(1, 2, 4, scale=2.0), mask=mask)


@pytest.mark.points("masked_softmax", 0.25)
@pytest.mark.dtypes("float32", "float64", "bfloat16")
def test_weights_keep_the_dtype_of_the_scores(agree, make):
    agree.masked_softmax(make.tensor(2, 5, scale=2.0), mask=some_hidden(make, 2, 5))
    agree.masked_softmax(make.tensor(1, 4, scale=2.0))
    agree.masked_softmax(make.tensor(1, 2, 3, scale=2.0), mask=some_hidden(make, 1, 1, 3))


@pytest.mark.points("masked_attention", 1)
def test_visible_values_are_mixed(agree, make, device):
    mask = torch.tensor([[0, 1, 0, 0], [1, 1, 0, 0], [0, 0, 1, 0]], dtype=torch.bool, device=device)
    agree.any_dtype.masked_attention(make.tensor(2, 3, 5), make.tensor(2, 4, 5), make.tensor(2, 4, 7), mask=mask)


@pytest.mark.points("masked_attention", 0.5)
def test_without_a_mask_all_values_are_mixed(agree, make):
    agree.any_dtype.masked_attention(make.tensor(2, 3, 5), make.tensor(2, 4, 5), make.tensor(2, 4, 7))
    agree.any_dtype.masked_attention(make.tensor(2, 3, 5), make.tensor(2, 3, 5), make.tensor(2, 3, 1))


@pytest.mark.points("masked_attention", 0.25)
def test_batch_and_heads_may_stand_in_front(agree, make):
    heads = make.tensor(2, 3, 1, 5), make.tensor(2, 3, 4, 5), make.tensor(2, 3, 4, 2)
    agree.any_dtype.masked_attention(*heads, mask=some_hidden(make, 2, 1, 1, 4))
    agree.any_dtype.masked_attention(make.tensor(3, 10), make.tensor(5, 10), make.tensor(5, 2))


@pytest.mark.points("masked_attention", 0.25)
def test_gradients_pass_through_attention(agree, make):
    inputs = make.tensor(1, 2, 3), make.tensor(1, 4, 3), make.tensor(1, 4, 5)
    agree.any_dtype.gradients.masked_attention(*inputs, mask=some_hidden(make, 2, 4))


@pytest.mark.points("self_attention", 0.5)
def test_every_token_sees_all_tokens(agree, make):
    agree.any_dtype.self_attention(make.tensor(2, 4, 6), *weight_matrices(make))
    agree.any_dtype.self_attention(make.tensor(2, 3, 4), *weight_matrices(make, 4, 4, 2))


@pytest.mark.points("self_attention", 0.5)
def test_no_token_sees_a_later_one(agree, make):
    agree.any_dtype.self_attention(make.tensor(2, 4, 6), *weight_matrices(make), causal=True)


@pytest.mark.points("self_attention", 0.5)
def test_no_token_sees_padding(agree, make, device):
    lengths = torch.tensor([3, 4], device=device)
    agree.any_dtype.self_attention(make.tensor(2, 4, 6), *weight_matrices(make), lengths=lengths)


@pytest.mark.points("self_attention", 0.25)
def test_no_token_sees_later_ones_or_padding(agree, make, device):
    lengths = torch.tensor([2, 4], device=device)
    agree.any_dtype.self_attention(make.tensor(2, 4, 3), *weight_matrices(make, 3, 5, 2), causal=True, lengths=lengths)


@pytest.mark.points("self_attention", 0.25)
def test_gradients_pass_through_self_attention(agree, make):
    agree.any_dtype.gradients.self_attention(make.tensor(1, 3, 4), *weight_matrices(make, 4, 2, 5), causal=True)
