"""What the learner may see and run. Sizes all differ, so that an axis mixed up shows. True in a mask means hidden."""

import pytest
import torch


def matrices(make, d_model):
    """W_Q, W_K, W_V, W_O, small enough for weights that are far from uniform and far from one-hot."""
    return tuple(make.tensor(d_model, d_model, scale=0.5) for _ in range(4))


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
    _, weights = agree.any_dtype.multi_head_attention(
        make.tensor(2, 4, 15, scale=0.5), *matrices(make, 15), 3, mask=mask
    )
    assert (weights[:, :, mask] == 0).all()


@pytest.mark.points("multi_head_attention", 0.5)
def test_each_sentence_has_its_own_padding_in_all_heads(agree, make, device):
    padding = torch.tensor([[[0, 0, 0, 1]], [[0, 1, 1, 1]], [[0, 0, 0, 0]]], dtype=torch.bool, device=device)
    agree.any_dtype.multi_head_attention(make.tensor(3, 4, 6, scale=0.5), *matrices(make, 6), 3, mask=padding[:, None])


@pytest.mark.points("multi_head_attention", 0.5)
def test_a_token_that_sees_nothing_gets_zeros(agree, make, device):
    mask = torch.tensor([[0, 1, 0], [1, 1, 1], [0, 0, 1]], dtype=torch.bool, device=device)
    output, weights = agree.any_dtype.multi_head_attention(
        make.tensor(2, 3, 10, scale=0.5), *matrices(make, 10), 5, mask=mask
    )
    assert (weights[:, :, 1] == 0).all()
    assert (output[:, 1] == 0).all()


@pytest.mark.points("MultiHeadAttention", 1)
def test_the_layer_holds_four_linear_layers(agree, make):
    layers = {bias: agree.any_dtype.MultiHeadAttention(12, 3, bias=bias) for bias in (False, True)}
    for layer in layers.values():
        agree.helper.layer_sizes(layer)
    # A description could be made up; what a layer does with drawn weights could not.
    for bias, layer in layers.items():
        agree.helper.prepare(layer, make.tensor(1))
        for name in ("W_Q", "W_K", "W_V", "W_O"):
            biases = {f"{name}.bias": make.tensor(12)} if bias else {}
            layer.load({f"{name}.weight": make.tensor(12, 12)} | biases)
            getattr(layer, name)(make.tensor(2, 12))


@pytest.mark.points("MultiHeadAttention", 1)
def test_the_layer_gives_output_and_weights_of_each_head(agree, make):
    layer = agree.any_dtype.MultiHeadAttention(12, 3)
    x = make.tensor(2, 5, 12, scale=0.5)
    agree.helper.prepare(layer, x)
    layer.load({f"{name}.weight": make.tensor(12, 12, scale=0.5) for name in ("W_Q", "W_K", "W_V", "W_O")})
    layer(x)


@pytest.mark.points("MultiHeadAttention", 0.5)
def test_a_layer_whose_heads_cannot_share_evenly_is_refused_when_built(agree):
    agree.raises(ValueError).MultiHeadAttention(8, 3)
    agree.raises(ValueError).MultiHeadAttention(8, -2)


@pytest.mark.points("copy_weights", 0.75)
def test_all_weights_and_biases_arrive(agree, make, device):
    mine, theirs = agree.MultiHeadAttention(6, 3, bias=True), agree.helper.make_mha(6, 3, True, True, device=device)
    agree.helper.prepare(mine, make.tensor(1))
    theirs.load({"in_proj_weight": make.tensor(18, 6), "in_proj_bias": make.tensor(18)})
    theirs.load({"out_proj.weight": make.tensor(6, 6), "out_proj.bias": make.tensor(6)})
    agree.effects.copy_weights(mine, theirs)
    agree.helper.weights_of(mine)
    agree.helper.biases_of(mine)


@pytest.mark.points("copy_weights", 0.5)
def test_both_layers_give_the_same_to_a_millionth(agree, make, device):
    mine, theirs = agree.MultiHeadAttention(8, 2, bias=True), agree.helper.make_mha(8, 2, True, True, device=device)
    agree.helper.prepare(mine, make.tensor(1))
    theirs.load({"in_proj_weight": make.tensor(24, 8, scale=0.25), "in_proj_bias": make.tensor(24, scale=0.25)})
    theirs.load({"out_proj.weight": make.tensor(8, 8, scale=0.25), "out_proj.bias": make.tensor(8, scale=0.25)})
    agree.effects.copy_weights(mine, theirs)
    x = make.tensor(3, 5, 8, scale=0.5)
    agree.helper.gap(mine, theirs, x)
    mine(x)  # a gap could be made up; what both layers give could not
    theirs(x, x, x, average_attn_weights=False)
