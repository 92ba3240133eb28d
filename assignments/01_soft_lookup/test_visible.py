"""What a learner may see and run."""

import numpy as np
import pytest

# ------------------------------------------------------------------------------------------------------- hard_lookup


@pytest.mark.points("hard_lookup", 1.5)
def test_the_value_of_the_best_key_is_returned(agree, make):
    query = np.array([1.0, 0.0], dtype=np.float32)
    keys = np.array([[0.0, 1.0], [2.0, 1.0], [1.0, 3.0]], dtype=np.float32)
    values = np.array([[10.0, 11.0, 12.0], [20.0, 21.0, 22.0], [30.0, 31.0, 32.0]], dtype=np.float32)
    agree.any_dtype.hard_lookup(query, keys, values)
    for _ in range(3):
        agree.any_dtype.hard_lookup(make.array(4), make.array(6, 4), make.array(6, 3))


@pytest.mark.points("hard_lookup", 0.5)
def test_of_equally_good_keys_the_first_wins(agree, make):
    query = np.array([1.0, 2.0], dtype=np.float32)
    keys = np.array([[1.0, -1.0], [3.0, 1.0], [1.0, 2.0], [5.0, 0.0]], dtype=np.float32)  # -1, 5, 5 and 5
    agree.any_dtype.hard_lookup(query, keys, make.array(4, 3))


# ----------------------------------------------------------------------------------------------------------- softmax


@pytest.mark.points("softmax", 1)
def test_a_vector_becomes_weights_that_sum_to_one(agree, make):
    agree.any_dtype.softmax(np.array([1.0, 2.0, 4.0], dtype=np.float32))
    weights = agree.any_dtype.softmax(make.array(5, scale=2.0))
    assert abs(weights.sum() - 1) < 1e-5


@pytest.mark.points("softmax", 1)
def test_each_row_of_a_matrix_sums_to_one(agree, make):
    agree.any_dtype.softmax(make.array(3, 5, scale=2.0))
    weights = agree.any_dtype.softmax(make.array(4, 4, scale=2.0))
    assert np.abs(weights.sum(axis=1) - 1).max() < 1e-5


@pytest.mark.points("softmax", 1)
def test_the_axis_may_be_chosen(agree, make):
    agree.any_dtype.softmax(make.array(3, 5, scale=2.0), axis=0)
    agree.any_dtype.softmax(make.array(2, 4, 3, scale=2.0), axis=1)


@pytest.mark.points("softmax", 1)
def test_large_numbers_do_not_overflow(agree):
    agree.any_dtype.softmax(np.array([1000.0, 1001.0, 999.0], dtype=np.float32))
    agree.any_dtype.softmax(np.array([[-1000.0, -1002.0], [3.0, 1.0], [1001.0, 1000.0]], dtype=np.float32))


# ------------------------------------------------------------------------------------------------------- soft_lookup


@pytest.mark.points("soft_lookup", 1.5)
def test_each_query_mixes_the_values_by_its_weights(agree, make):
    agree.any_dtype.soft_lookup(make.array(3, 4), make.array(5, 4), make.array(5, 6))
    agree.any_dtype.soft_lookup(make.array(4, 2), make.array(3, 2), make.array(3, 5))


@pytest.mark.points("soft_lookup", 0.5)
def test_values_that_are_all_one_stay_one(agree, make):
    values = np.ones((4, 3), dtype=np.float32)
    output, _ = agree.any_dtype.soft_lookup(make.array(5, 2), make.array(4, 2), values)
    assert np.abs(output - 1).max() < 1e-5


@pytest.mark.points("soft_lookup", 0.5)
def test_one_query_looks_up_like_many(agree, make):
    agree.any_dtype.soft_lookup(make.array(1, 4), make.array(3, 4), make.array(3, 2))
