"""What only the instructor runs. True in a mask means hidden."""

import pytest
import torch


def some_hidden(make, *shape):
    """A random mask in which every query sees two keys at least, and key 0 is hidden."""
    mask = make.booleans(*shape)
    mask[..., 0] = True
    mask[..., 1:3] = False
    return mask


def weight_matrices(make, d_model, d_k, d_v):
    """W_Q, W_K, W_V, small enough for weights that are far from uniform and far from one-hot."""
    return make.tensor(d_model, d_k, scale=0.5), make.tensor(d_model, d_k, scale=0.5), make.tensor(d_model, d_v)


# ------------------------------------------------------------------------------------------------------- causal_mask


@pytest.mark.points("causal_mask", 0.5)
def test_a_causal_mask_of_any_size(agree, device):
    agree.causal_mask(1)
    agree.causal_mask(23, device=device)
    agree.causal_mask(2, n_keys=25, device=device)
    agree.causal_mask(6, n_keys=6, device=str(device))


# ------------------------------------------------------------------------------------------------------ padding_mask


@pytest.mark.points("padding_mask", 0.5)
def test_empty_and_full_sequences_are_masked_right(agree, device):
    agree.padding_mask(torch.tensor([0, 5, 2, 4], device=device), 5)
    agree.padding_mask(torch.tensor([0], device=device), 1)


@pytest.mark.points("padding_mask", 0.5)
def test_lengths_of_any_integer_dtype_and_any_batch(agree, make, device):
    agree.padding_mask(make.permutation(7).to(torch.int32), 7)
    agree.padding_mask(torch.zeros(0, dtype=torch.int64, device=device), 4)


@pytest.mark.points("padding_mask", 0.5)
def test_a_padding_mask_is_right_when_sizes_coincide(agree, make):
    agree.padding_mask(make.permutation(5), 5)
    agree.padding_mask(make.permutation(3) + 1, 3)


# ---------------------------------------------------------------------------------------------------- masked_softmax


@pytest.mark.points("masked_softmax", 0.5)
def test_masks_of_every_shape_are_broadcast(agree, make):
    scores = make.tensor(2, 3, 4, 5, scale=2.0)
    for shape in [(5,), (4, 5), (2, 1, 1, 5), (2, 1, 4, 5), (3, 1, 5), (2, 3, 4, 5)]:
        agree.any_dtype.masked_softmax(scores, mask=some_hidden(make, *shape))
    agree.any_dtype.masked_softmax(make.tensor(4, 6, scale=2.0), mask=some_hidden(make, 4, 6))
    agree.any_dtype.masked_softmax(make.tensor(4, 4, 4, scale=2.0), mask=some_hidden(make, 4, 4))
    agree.any_dtype.masked_softmax(make.tensor(3, 2, 5, scale=2.0), mask=some_hidden(make, 3, 1, 5))


@pytest.mark.points("masked_softmax", 0.25)
def test_queries_that_see_nothing_have_finite_gradients(agree, make):
    mask = some_hidden(make, 2, 4, 5)
    mask[0, 2] = True
    mask[1, 0] = True
    weights = agree.any_dtype.gradients.masked_softmax(make.tensor(2, 4, 5, scale=2.0), mask=mask)
    assert (weights[0, 2] == 0).all()
    whole_rows = mask[0, :, 1:2]  # (n_q, 1): query 2 sees nothing
    agree.any_dtype.masked_softmax(make.tensor(3, 4, 6, scale=2.0), mask=whole_rows)


@pytest.mark.points("masked_softmax", 0.25)
def test_large_scores_do_not_overflow(agree, make, dtype, device):
    rows = torch.tensor([[0.0], [1000.0], [-1000.0], [512.0]], dtype=dtype, device=device)
    agree.any_dtype.masked_softmax(make.tensor(3, 4, 5) + rows)
    winner = torch.tensor([[-1000.0, 1000.0, 0.0], [0.0, -64.0, 1000.0]], dtype=dtype, device=device)
    agree.any_dtype.masked_softmax(winner)


@pytest.mark.points("masked_softmax", 0.5)
def test_hidden_keys_stay_hidden_when_scores_are_low(agree, make, dtype, device):
    levels = torch.tensor([[-2.0], [-12.0], [-24.0], [-52.0], [-102.0], [-250.0]], dtype=dtype, device=device)
    mask = some_hidden(make, 6, 5)
    mask[:, 3] = True
    weights = agree.any_dtype.masked_softmax(make.tensor(2, 6, 5) + levels, mask=mask)
    assert (weights[:, mask] == 0).all()


@pytest.mark.points("masked_softmax", 0.25)
def test_large_hidden_scores_do_not_disturb_visible_ones(agree, make):
    mask = some_hidden(make, 3, 5)
    mask[:, 3] = True
    scores = make.tensor(2, 3, 5, scale=2.0)
    agree.any_dtype.masked_softmax(torch.where(mask, scores + 1000.0, scores), mask=mask)


@pytest.mark.points("masked_softmax", 0.25)
def test_gradients_reach_the_scores(agree, make):
    agree.any_dtype.gradients.masked_softmax(make.tensor(2, 3, 5, scale=2.0), mask=some_hidden(make, 2, 3, 5))
    agree.any_dtype.gradients.masked_softmax(make.tensor(3, 6, scale=2.0))


@pytest.mark.points("masked_softmax", 0.25)
def test_an_empty_batch_and_a_single_key_work(agree, make):
    agree.any_dtype.masked_softmax(make.tensor(0, 3, 5), mask=some_hidden(make, 3, 5))
    agree.any_dtype.masked_softmax(make.tensor(4, 3, 1))
    agree.any_dtype.masked_softmax(make.tensor(2, 1, 6), mask=some_hidden(make, 1, 6))


@pytest.mark.points("masked_softmax", 0.25)
def test_scores_may_lie_in_any_order_in_memory(agree, make):
    turned = make.tensor(2, 5, 3, scale=2.0).transpose(-2, -1)  # (2, 3, 5)
    agree.any_dtype.masked_softmax(turned, mask=some_hidden(make, 3, 10)[:, ::2])
    agree.any_dtype.masked_softmax(make.tensor(3, 4, 7, scale=2.0)[:, ::2, 1:6])  # (3, 2, 5)


# -------------------------------------------------------------------------------------------------- masked_attention


@pytest.mark.points("masked_attention", 0.25)
def test_attention_with_any_leading_axes(agree, make):
    agree.any_dtype.masked_attention(
        make.tensor(3, 10), make.tensor(6, 10), make.tensor(6, 4), mask=some_hidden(make, 3, 6)
    )
    heads = make.tensor(2, 3, 4, 5), make.tensor(2, 3, 6, 5), make.tensor(2, 3, 6, 7)
    agree.any_dtype.masked_attention(*heads, mask=some_hidden(make, 2, 1, 1, 6))
    agree.any_dtype.masked_attention(make.tensor(4, 2, 17), make.tensor(4, 3, 17), make.tensor(4, 3, 5))


@pytest.mark.points("masked_attention", 0.25)
def test_gradients_reach_queries_keys_and_values(agree, make):
    inputs = make.tensor(2, 3, 5), make.tensor(2, 4, 5), make.tensor(2, 4, 7)
    agree.any_dtype.gradients.masked_attention(*inputs, mask=some_hidden(make, 2, 1, 4))


@pytest.mark.points("masked_attention", 0.5)
def test_sizes_that_coincide_change_nothing(agree, make):
    agree.any_dtype.masked_attention(make.tensor(2, 4, 6), make.tensor(2, 4, 6), make.tensor(2, 4, 6))
    agree.any_dtype.masked_attention(*(make.tensor(4, 4, 5) for _ in range(3)), mask=some_hidden(make, 4, 4))
    agree.any_dtype.masked_attention(*(make.tensor(3, 3, 3, 3) for _ in range(3)), mask=some_hidden(make, 3, 1, 3))


@pytest.mark.points("masked_attention", 0.25)
def test_a_query_that_sees_nothing_gets_a_zero_output(agree, make):
    mask = some_hidden(make, 3, 4)
    mask[1] = True
    output, weights = agree.any_dtype.gradients.masked_attention(
        make.tensor(2, 3, 5), make.tensor(2, 4, 5), make.tensor(2, 4, 7), mask=mask
    )
    assert (output[:, 1] == 0).all()
    assert (weights[:, 1] == 0).all()


@pytest.mark.points("masked_attention", 0.25)
def test_hidden_keys_stay_hidden_when_similarities_are_low(agree, make):
    Q, K, V = make.tensor(2, 3, 5), make.tensor(2, 4, 5), make.tensor(2, 4, 7)
    Q[..., 0], K[..., 0] = -16.0, 16.0  # each score is lower by about 115: the weights stay as they were
    agree.any_dtype.masked_attention(Q, K, V, mask=some_hidden(make, 3, 4))


@pytest.mark.points("masked_attention", 0.25)
@pytest.mark.dtypes("float32", "float64", "bfloat16")
def test_attention_keeps_the_dtype(agree, make):
    inputs = make.tensor(2, 3, 5), make.tensor(2, 4, 5), make.tensor(2, 4, 7)
    agree.masked_attention(*inputs, mask=some_hidden(make, 3, 4))


@pytest.mark.points("masked_attention", 0.25)
def test_queries_keys_and_values_may_lie_in_any_order_in_memory(agree, make):
    turned = make.tensor(2, 5, 3), make.tensor(2, 5, 4), make.tensor(2, 7, 4)  # features first
    Q, K, V = (tensor.transpose(-2, -1) for tensor in turned)
    agree.any_dtype.masked_attention(Q, K, V, mask=some_hidden(make, 2, 1, 8)[..., ::2])
    heads = make.tensor(2, 4, 3, 5), make.tensor(2, 6, 3, 5), make.tensor(2, 6, 3, 7)  # (B, T, H, width)
    agree.any_dtype.masked_attention(*(tensor.transpose(1, 2) for tensor in heads))
    shared = make.tensor(1, 4, 5).expand(2, 4, 5)  # one set of keys for both samples
    agree.any_dtype.masked_attention(make.tensor(2, 6, 5)[:, ::2], shared, make.tensor(2, 4, 8)[..., 1::3])


# ---------------------------------------------------------------------------------------------------- self_attention


@pytest.mark.points("self_attention", 0.25)
def test_later_tokens_and_padding_are_hidden_together(agree, make):
    lengths = make.permutation(7)[:3] + 1
    agree.any_dtype.self_attention(make.tensor(3, 7, 4), *weight_matrices(make, 4, 5, 6), causal=True, lengths=lengths)
    agree.any_dtype.self_attention(make.tensor(3, 7, 4), *weight_matrices(make, 4, 5, 6), causal=False, lengths=lengths)


@pytest.mark.points("self_attention", 0.25)
def test_gradients_reach_every_matrix(agree, make, device):
    lengths = torch.tensor([2, 4, 3], device=device)
    agree.any_dtype.gradients.self_attention(
        make.tensor(3, 4, 6), *weight_matrices(make, 6, 5, 2), causal=True, lengths=lengths
    )


@pytest.mark.points("self_attention", 0.25)
def test_an_empty_sequence_gets_zeros(agree, make, device):
    lengths = torch.tensor([3, 0], device=device)
    output, weights = agree.any_dtype.gradients.self_attention(
        make.tensor(2, 4, 6), *weight_matrices(make, 6, 5, 3), lengths=lengths
    )
    assert (output[1] == 0).all()
    assert (weights[1] == 0).all()


@pytest.mark.points("self_attention", 0.25)
def test_self_attention_of_any_sizes(agree, make):
    lengths = make.permutation(4) + 1
    agree.any_dtype.self_attention(make.tensor(4, 4, 4), *weight_matrices(make, 4, 4, 4), causal=True, lengths=lengths)
    agree.any_dtype.self_attention(make.tensor(4, 4, 4), *weight_matrices(make, 4, 4, 4), lengths=lengths)
    agree.any_dtype.self_attention(make.tensor(2, 21, 5), *weight_matrices(make, 5, 10, 3), causal=True)
    agree.any_dtype.self_attention(make.tensor(1, 5, 3), *weight_matrices(make, 3, 2, 4), causal=True)


@pytest.mark.points("self_attention", 0.25)
def test_self_attention_of_one_token_and_of_no_sequence(agree, make):
    agree.any_dtype.self_attention(make.tensor(2, 1, 5), *weight_matrices(make, 5, 3, 4), causal=True)
    agree.any_dtype.self_attention(make.tensor(0, 4, 5), *weight_matrices(make, 5, 3, 2), causal=True)


@pytest.mark.points("self_attention", 0.25)
def test_tokens_stay_hidden_when_similarities_are_low(agree, make, device):
    x = make.tensor(2, 5, 6)
    W_Q, W_K, W_V = weight_matrices(make, 6, 5, 3)
    x[..., 0] = 1.0
    W_Q[:, 0] = W_K[:, 0] = 0.0
    W_Q[0, 0], W_K[0, 0] = -16.0, 16.0  # each score is lower by about 115: the weights stay as they were
    agree.any_dtype.self_attention(x, W_Q, W_K, W_V, causal=True, lengths=torch.tensor([3, 5], device=device))


@pytest.mark.points("self_attention", 0.25)
@pytest.mark.dtypes("float32", "float64", "bfloat16")
def test_self_attention_keeps_the_dtype(agree, make, device):
    lengths = torch.tensor([3, 4], device=device)
    x = make.tensor(2, 4, 6, scale=0.25)  # scores near each other: digits are judged elsewhere
    agree.self_attention(x, *weight_matrices(make, 6, 5, 3), causal=True, lengths=lengths)


@pytest.mark.points("self_attention", 0.25)
def test_tokens_and_matrices_may_lie_in_any_order_in_memory(agree, make, device):
    lengths = torch.tensor([3, 4], device=device)
    matrices = [matrix.T.contiguous().T for matrix in weight_matrices(make, 6, 5, 3)]  # as `linear.weight.T` lies
    agree.any_dtype.self_attention(make.tensor(4, 2, 6).transpose(0, 1), *matrices, causal=True, lengths=lengths)
    agree.any_dtype.self_attention(make.tensor(2, 8, 6)[:, ::2], *matrices, lengths=lengths)
    agree.any_dtype.self_attention(make.tensor(1, 4, 6).expand(2, 4, 6), *matrices, lengths=lengths)
