# may lose: test_numbers_become_shares_along_the_last_axis, test_the_axis_may_be_any_of_three, test_very_large_numbers_get_finite_shares, test_the_axis_may_be_any_of_four, test_rows_far_from_each_other_are_all_shared_out_right, test_the_gradients_of_the_shares_are_right, test_shares_keep_the_dtype, test_an_empty_batch_a_single_number_and_equal_ones_work
import math

import torch


def softmax(x, dim=-1):
    return torch.softmax(x, dim=dim)


def attention_scores(Q, K):
    return Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])


def attention(Q, K, V):
    weights = softmax(attention_scores(Q, K))
    return weights @ V, weights


def order_gap(fn, x, permutation):
    return (fn(x[:, permutation]) - fn(x)[:, permutation]).abs().max().item()
