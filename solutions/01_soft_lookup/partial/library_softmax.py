# may lose: test_a_vector_becomes_weights_that_sum_to_one, test_each_row_of_a_matrix_sums_to_one, test_the_axis_may_be_chosen, test_large_numbers_do_not_overflow, test_every_axis_of_three_may_be_chosen, test_large_numbers_overflow_on_no_axis, test_rows_far_apart_do_not_disturb_each_other, test_weights_keep_the_dtype, test_an_axis_of_one_gets_a_weight_of_one, test_a_softmax_of_arrays_of_any_layout
import numpy as np
import torch


def hard_lookup(query, keys, values):
    similarity = (keys * query).sum(axis=1)
    return np.take(values, np.argmax(similarity), axis=0)


def softmax(x, axis=-1):
    return torch.softmax(torch.from_numpy(x.copy()), dim=axis).numpy()


def soft_lookup(queries, keys, values):
    weights = softmax(queries @ keys.T)
    return weights @ values, weights
