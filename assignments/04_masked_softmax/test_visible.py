"""What a learner may see and run. True in a mask means hidden."""

import pytest
import torch


def weight_matrices(make):
    """W_Q, W_K, W_V with d_model 6, d_k 5, d_v 3."""
    return make.tensor(6, 5, scale=0.5), make.tensor(6, 5, scale=0.5), make.tensor(6, 3)


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


@pytest.mark.points("masked_attention", 1)
def test_visible_values_are_mixed(agree, make, device):
    mask = torch.tensor([[0, 1, 0, 0], [1, 1, 0, 0], [0, 0, 1, 0]], dtype=torch.bool, device=device)
    agree.any_dtype.masked_attention(make.tensor(2, 3, 5), make.tensor(2, 4, 5), make.tensor(2, 4, 7), mask=mask)


@pytest.mark.points("masked_attention", 0.5)
def test_without_a_mask_all_values_are_mixed(agree, make):
    agree.any_dtype.masked_attention(make.tensor(2, 3, 5), make.tensor(2, 4, 5), make.tensor(2, 4, 7))


@pytest.mark.points("self_attention", 0.5)
def test_every_token_sees_all_tokens(agree, make):
    agree.any_dtype.self_attention(make.tensor(2, 4, 6), *weight_matrices(make))


@pytest.mark.points("self_attention", 0.5)
def test_no_token_sees_a_later_one(agree, make):
    agree.any_dtype.self_attention(make.tensor(2, 4, 6), *weight_matrices(make), causal=True)


@pytest.mark.points("self_attention", 0.5)
def test_no_token_sees_padding(agree, make, device):
    lengths = torch.tensor([3, 4], device=device)
    agree.any_dtype.self_attention(make.tensor(2, 4, 6), *weight_matrices(make), lengths=lengths)
