"""What the learner may see and run. Sizes all differ, so that an axis mixed up shows. True in a mask means hidden."""

import pytest
import torch

NAMES = ("W_Q", "W_K", "W_V", "W_O")
MILLIONTH = 1e-6


def matrices(make, d_model):
    """W_Q, W_K, W_V, W_O, small enough for weights that are far from uniform and far from one-hot."""
    return tuple(make.tensor(d_model, d_model, scale=0.5) for _ in range(4))


def layer_with(agree, make, d_model, num_heads, *, bias=False):
    """A layer with drawn weights, and with biases that are not zero where it has them."""
    layer = agree.MultiHeadAttention(d_model, num_heads, **({"bias": True} if bias else {}))
    agree.helper.prepare(layer, make.tensor(1))
    biases = {f"{name}.bias": make.tensor(d_model, scale=0.5) for name in NAMES} if bias else {}
    layer.load({f"{name}.weight": make.tensor(d_model, d_model, scale=0.5) for name in NAMES} | biases)
    return layer


def drawn(make, *shape):
    """Odd numbers / 64 between -1/2 and 1/2: none is zero, and a layer of them gives numbers around 1."""
    return (2 * make.integers(-16, 16, *shape) + 1).to(make.dtype) / 64


def fill(theirs, make, d_model, *, bias=True):
    """Draws weights for PyTorch's layer, and biases that are not zero."""
    biases = {"in_proj_bias": drawn(make, 3 * d_model), "out_proj.bias": drawn(make, d_model)} if bias else {}
    weights = {"in_proj_weight": drawn(make, 3 * d_model, d_model), "out_proj.weight": drawn(make, d_model, d_model)}
    theirs.load(weights | biases)


@pytest.mark.points("split_heads", 1)
def test_each_head_gets_its_piece_of_every_token(agree, make):
    agree.any_dtype.split_heads(make.tensor(1, 3, 4), 2)
    agree.any_dtype.split_heads(make.tensor(2, 5, 12), 3)


@pytest.mark.points("split_heads", 0.5)
def test_features_that_cannot_be_shared_evenly_are_refused(agree, make):
    agree.raises(ValueError).split_heads(make.tensor(2, 3, 8), 3)
    agree.raises(ValueError).split_heads(make.tensor(2, 3, 6), 12)


@pytest.mark.points("merge_heads", 1)
def test_the_pieces_of_a_token_stand_side_by_side(agree, make):
    agree.any_dtype.merge_heads(make.tensor(1, 2, 3, 2))
    agree.any_dtype.merge_heads(make.tensor(2, 3, 5, 4))


@pytest.mark.points("merge_heads", 0.5)
def test_pieces_that_lie_in_memory_as_they_were_cut_are_merged(agree, make):
    agree.any_dtype.merge_heads(make.tensor(2, 5, 3, 4).movedim(2, 1))


@pytest.mark.points("multi_head_attention", 1)
def test_every_head_attends_by_itself(agree, make):
    agree.any_dtype.multi_head_attention(make.tensor(1, 3, 4, scale=0.5), *matrices(make, 4), 2)
    agree.any_dtype.multi_head_attention(make.tensor(2, 4, 15, scale=0.5), *matrices(make, 15), 3)


@pytest.mark.points("multi_head_attention", 0.75)
def test_hidden_keys_get_no_weight_in_any_head(agree, make, device):
    mask = torch.tensor([[0, 1, 1, 1], [0, 0, 1, 1], [1, 0, 0, 1], [0, 1, 0, 0]], dtype=torch.bool, device=device)
    _, weights = agree.any_dtype.multi_head_attention(make.tensor(2, 4, 6, scale=0.5), *matrices(make, 6), 3, mask=mask)
    assert (weights[:, :, mask] == 0).all()


@pytest.mark.points("multi_head_attention", 0.5)
def test_each_sentence_has_its_own_padding_in_all_heads(agree, make, device):
    padding = torch.tensor([[[0, 0, 1]], [[0, 1, 1]]], dtype=torch.bool, device=device)  # (B, 1, T), and B = H
    agree.any_dtype.multi_head_attention(make.tensor(2, 3, 4, scale=0.5), *matrices(make, 4), 2, mask=padding[:, None])


@pytest.mark.points("multi_head_attention", 0.25)
def test_a_mask_of_three_axes_meets_the_heads(agree, make, device):
    each_head = torch.tensor([[[0, 0, 1]], [[0, 1, 0]]], dtype=torch.bool, device=device)  # (H, 1, T), and B = H
    agree.any_dtype.multi_head_attention(make.tensor(2, 3, 4, scale=0.5), *matrices(make, 4), 2, mask=each_head)


@pytest.mark.points("multi_head_attention", 0.5)
def test_a_token_that_sees_nothing_gets_zeros(agree, make, device):
    mask = torch.tensor([[0, 1, 0], [1, 1, 1], [0, 0, 1]], dtype=torch.bool, device=device)
    output, weights = agree.any_dtype.multi_head_attention(
        make.tensor(2, 3, 8, scale=0.5), *matrices(make, 8), 4, mask=mask
    )
    assert (weights[:, :, 1] == 0).all()
    assert (output[:, 1] == 0).all()


@pytest.mark.points("multi_head_attention", 0.25)
def test_hidden_keys_stay_hidden_when_all_similarities_are_low_or_high(agree, make, device):
    mask = torch.tensor([[0, 1, 1], [0, 0, 1], [1, 0, 0]], dtype=torch.bool, device=device)
    for level in (-16.0, 16.0):  # each score moves by about 180, and the weights stay as they were
        x = make.tensor(1, 3, 4, scale=0.5)
        W_Q, W_K, W_V, W_O = matrices(make, 4)
        x[..., 0] = 1.0
        for column in (0, 2):  # one of each head
            W_Q[:, column] = W_K[:, column] = 0.0
            W_Q[0, column], W_K[0, column] = level, 16.0
        agree.any_dtype.multi_head_attention(x, W_Q, W_K, W_V, W_O, 2, mask=mask)


@pytest.mark.points("multi_head_attention", 0.25)
def test_all_four_matrices_can_be_trained(agree, make):
    agree.any_dtype.gradients.multi_head_attention(make.tensor(1, 3, 4, scale=0.5), *matrices(make, 4), 2)


@pytest.mark.points("multi_head_attention", 0.25)
def test_tokens_that_see_nothing_have_finite_gradients(agree, make, device):
    mask = torch.tensor([[0, 0, 1], [1, 1, 1], [0, 0, 0]], dtype=torch.bool, device=device)
    agree.any_dtype.gradients.multi_head_attention(make.tensor(1, 3, 4, scale=0.5), *matrices(make, 4), 2, mask=mask)


@pytest.mark.points("MultiHeadAttention", 1)
def test_the_layer_holds_four_linear_layers(agree, make):
    for bias in (False, True):
        agree.helper.layer_sizes(agree.any_dtype.MultiHeadAttention(12, 3, bias=bias))
    # A description could be made up; what a layer does with drawn weights could not.
    layer = layer_with(agree.any_dtype, make, 4, 2, bias=True)
    for name in NAMES:
        getattr(layer, name)(make.tensor(3, 4))


@pytest.mark.points("MultiHeadAttention", 1)
def test_the_layer_gives_output_and_weights_of_each_head(agree, make):
    layer_with(agree.any_dtype, make, 6, 3)(make.tensor(2, 4, 6, scale=0.5))


@pytest.mark.points("MultiHeadAttention", 0.5)
def test_biases_are_added_by_all_four_layers(agree, make):
    layer_with(agree.any_dtype, make, 4, 2, bias=True)(make.tensor(1, 3, 4, scale=0.5))


@pytest.mark.points("MultiHeadAttention", 0.25)
def test_the_layer_hides_what_is_masked(agree, make, device):
    mask = torch.tensor([[0, 1, 1], [1, 1, 1], [1, 0, 0]], dtype=torch.bool, device=device)  # token 1 sees nothing
    layer_with(agree.any_dtype, make, 4, 2)(make.tensor(1, 3, 4, scale=0.5), mask=mask)


@pytest.mark.points("MultiHeadAttention", 0.25)
def test_all_four_layers_can_be_trained(agree, make):
    layer_with(agree.any_dtype, make, 4, 2, bias=True).gradients(make.tensor(1, 3, 4, scale=0.5))


@pytest.mark.points("MultiHeadAttention", 0.5)
def test_a_layer_whose_heads_cannot_share_evenly_is_refused_when_built(agree):
    agree.raises(ValueError).MultiHeadAttention(8, 3)
    agree.raises(ValueError).MultiHeadAttention(8, -2)


@pytest.mark.points("copy_weights", 0.75)
def test_all_weights_and_biases_arrive(agree, make, device):
    mine, theirs = agree.MultiHeadAttention(6, 3, bias=True), agree.helper.make_mha(6, 3, True, True, device=device)
    agree.helper.prepare(mine, make.tensor(1))
    fill(theirs, make, 6)
    agree.effects.copy_weights(mine, theirs)
    agree.helper.weights_of(mine)
    agree.helper.biases_of(mine)


@pytest.mark.points("copy_weights", 0.5)
def test_both_layers_give_the_same_to_a_millionth(agree, make, device):
    mine, theirs = agree.MultiHeadAttention(6, 2, bias=True), agree.helper.make_mha(6, 2, True, True, device=device)
    agree.helper.prepare(mine, make.tensor(1))
    fill(theirs, make, 6)
    agree.effects.copy_weights(mine, theirs)
    x = 2 * drawn(make, 3, 5, 6)
    output, weights = mine(x)
    their_output, averaged = theirs(x, x, x)
    assert (output - their_output).abs().max() < MILLIONTH
    assert (weights.mean(dim=1) - averaged).abs().max() < MILLIONTH


@pytest.mark.points("copy_weights", 0.5)
def test_what_becomes_of_their_layer_later_changes_nothing(agree, make, device):
    mine, theirs = agree.MultiHeadAttention(4, 2, bias=True), agree.helper.make_mha(4, 2, True, True, device=device)
    agree.helper.prepare(mine, make.tensor(1))
    fill(theirs, make, 4)
    agree.effects.copy_weights(mine, theirs)
    fill(theirs, make, 4)
    agree.helper.weights_of(mine)
    agree.helper.biases_of(mine)
