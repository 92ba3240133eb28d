"""What only the instructor runs."""

import numpy as np
import pytest


def laid_out(array, how):
    """The same numbers in memory of another layout."""
    if how == "columns first":
        return np.asfortranarray(array)
    if how == "backwards":
        return np.ascontiguousarray(array[::-1])[::-1]
    wider = np.zeros((*array.shape[:-1], 2 * array.shape[-1]), dtype=array.dtype)
    wider[..., ::2] = array
    return wider[..., ::2]


LAYOUTS = ["columns first", "backwards", "with gaps"]

# ------------------------------------------------------------------------------------------------------- hard_lookup


@pytest.mark.points("hard_lookup", 0.75)
def test_the_best_key_may_stand_anywhere(agree, make):
    query = make.array(5)
    query[0] = 2.0  # no query of zeros
    for place in range(4):
        keys = make.array(4, 5, scale=0.125)
        keys[place] = query
        agree.any_dtype.hard_lookup(query, keys, make.array(4, 3))


@pytest.mark.points("hard_lookup", 0.75)
def test_similarities_may_all_be_negative(agree, make):
    away = np.array([[-4.0, -3.0, -2.0], [-1.0, -2.0, -1.0], [-0.5, -0.5, -1.0], [-2.0, -1.0, -2.0]], dtype=np.float32)
    query = np.array([1.0, 1.0, 2.0], dtype=np.float32)
    agree.any_dtype.hard_lookup(query, away, make.array(4, 5))
    agree.any_dtype.hard_lookup(query, away - 100, make.array(4, 5))
    agree.any_dtype.hard_lookup(query, away[::-1], make.array(4, 2))


@pytest.mark.points("hard_lookup", 0.5)
def test_the_length_of_a_key_counts(agree, make):
    query = np.array([2.0, 1.0], dtype=np.float32)
    keys = np.array([[2.0, 1.0], [4.0, -1.0], [0.5, 8.0], [-9.0, 9.0]], dtype=np.float32)  # 5, 7, 9 and -9
    agree.any_dtype.hard_lookup(query, keys, make.array(4, 3))
    agree.any_dtype.hard_lookup(query, keys[::-1], make.array(4, 3))


@pytest.mark.points("hard_lookup", 0.25)
def test_a_little_better_is_enough(agree, make):
    query = np.array([0.5, 0.0, 0.25], dtype=np.float32)
    keys = np.array([[0.5, 9.0, 0.0], [1.0, 2.0, 0.0], [1.5, -2.0, 0.0], [1.0, 8.0, 0.5]], dtype=np.float32)
    agree.any_dtype.hard_lookup(query, keys, make.array(4, 2))  # 0.25, 0.5, 0.75 and 0.625
    agree.any_dtype.hard_lookup(query, keys - np.float32(2), make.array(4, 2))  # all lower by 1.5


@pytest.mark.points("hard_lookup", 0.25)
def test_later_keys_that_are_as_good_change_nothing(agree, make):
    query = make.array(3)
    query[0] = 2.0
    keys = make.array(7, 3, scale=0.125)
    keys[2] = keys[4] = keys[5] = query
    agree.any_dtype.hard_lookup(query, keys, make.array(7, 2))
    agree.any_dtype.hard_lookup(np.zeros(3, dtype=np.float32), keys, make.array(7, 2))


@pytest.mark.points("hard_lookup", 0.25)
def test_a_hard_lookup_of_any_sizes(agree, make):
    query, keys = make.array(4), make.array(4, 4, scale=0.125)
    query[[0, 2]] = 2.0, 1.0
    keys[2] = query
    agree.any_dtype.hard_lookup(query, keys, make.array(4, 4))
    agree.any_dtype.hard_lookup(make.array(3), make.array(1, 3), make.array(1, 2))
    agree.any_dtype.hard_lookup(make.array(1), make.array(5, 1), make.array(5, 1))
    agree.any_dtype.hard_lookup(make.array(17), make.array(40, 17), make.array(40, 3))


@pytest.mark.points("hard_lookup", 0.25)
@pytest.mark.dtypes("float32", "float64")
def test_a_hard_lookup_keeps_the_dtype_of_the_values(agree, make):
    agree.hard_lookup(make.array(3), make.array(5, 3), make.array(5, 2))
    for how in LAYOUTS:
        agree.hard_lookup(make.array(3), laid_out(make.array(5, 3), how), laid_out(make.array(5, 2), how))


# ----------------------------------------------------------------------------------------------------------- softmax


@pytest.mark.points("softmax", 1.25)
def test_every_axis_of_three_may_be_chosen(agree, make):
    for axis in (0, 1, 2, -1, -2, -3):
        agree.any_dtype.softmax(make.array(2, 3, 5, scale=2.0), axis=axis)
    agree.any_dtype.softmax(make.array(2, 3, 5, scale=2.0))
    agree.any_dtype.softmax(make.array(4, 4, 4, scale=2.0), axis=0)
    agree.any_dtype.softmax(make.array(4, 4, 4, scale=2.0), axis=1)
    agree.any_dtype.softmax(make.array(2, 1, 3, 4, scale=2.0), axis=-2)


@pytest.mark.points("softmax", 0.75)
def test_large_numbers_overflow_on_no_axis(agree, make):
    for axis in (0, 1, -1):  # in float64: the logarithm of a sum of float32 around 10000 has three digits left
        agree.any_dtype.softmax(make.array(2, 3, 4, dtype="float64") + 10000.0, axis=axis)
        agree.any_dtype.softmax(make.array(3, 3, 3, dtype="float64") - 10000.0, axis=axis)
    agree.any_dtype.softmax(make.array(7, scale=2.0**13, dtype="float64"))
    agree.any_dtype.softmax(np.array([[1000.0, -1000.0, 0.0], [-1e30, -2e30, -3e30], [0.0, -90.0, 1e30]], np.float32))


@pytest.mark.points("softmax", 0.75)
def test_rows_far_apart_do_not_disturb_each_other(agree, make):
    levels = np.array([[0.0], [10000.0], [-10000.0], [600.0]])
    agree.any_dtype.softmax(make.array(4, 5, scale=2.0, dtype="float64") + levels)
    agree.any_dtype.softmax(make.array(4, 4, scale=2.0, dtype="float64") + levels.T, axis=0)
    agree.any_dtype.softmax(make.array(2, 4, 3, scale=2.0) + np.float32(0.0625) * levels.astype(np.float32), axis=2)


@pytest.mark.points("softmax", 0.5)
@pytest.mark.dtypes("float32", "float64")
def test_weights_keep_the_dtype(agree, make):
    agree.softmax(make.array(3, 4, scale=2.0))
    agree.softmax(make.array(5, scale=2.0), axis=0)


@pytest.mark.points("softmax", 0.25)
def test_an_axis_of_one_gets_a_weight_of_one(agree, make):
    agree.any_dtype.softmax(make.array(4, 1, scale=2.0))
    agree.any_dtype.softmax(make.array(1, 3, scale=2.0), axis=0)
    agree.any_dtype.softmax(make.array(1, scale=2.0))


@pytest.mark.points("softmax", 0.5)
def test_a_softmax_of_arrays_of_any_layout(agree, make):
    for how in LAYOUTS:
        agree.any_dtype.softmax(laid_out(make.array(3, 4, scale=2.0), how))
        agree.any_dtype.softmax(laid_out(make.array(2, 3, 4, scale=2.0), how), axis=1)


# ------------------------------------------------------------------------------------------------------- soft_lookup


@pytest.mark.points("soft_lookup", 1)
def test_a_soft_lookup_of_any_sizes(agree, make):
    agree.any_dtype.soft_lookup(make.array(2, 17, scale=0.5), make.array(7, 17), make.array(7, 3))
    agree.any_dtype.soft_lookup(make.array(6, 1), make.array(2, 1), make.array(2, 4))
    agree.any_dtype.soft_lookup(make.array(3, 5), make.array(23, 5), make.array(23, 1))


@pytest.mark.points("soft_lookup", 0.75)
def test_a_soft_lookup_when_sizes_coincide(agree, make):
    agree.any_dtype.soft_lookup(make.array(4, 4), make.array(4, 4), make.array(4, 4))
    agree.any_dtype.soft_lookup(make.array(3, 5), make.array(3, 5), make.array(3, 5))
    agree.any_dtype.soft_lookup(make.array(2, 6), make.array(5, 6), make.array(5, 6))


@pytest.mark.points("soft_lookup", 1)
def test_large_similarities_are_looked_up_right(agree, make):
    queries, keys = make.array(4, 3, scale=64.0, dtype="float64"), make.array(5, 3, scale=64.0, dtype="float64")
    agree.any_dtype.soft_lookup(queries, keys, make.array(5, 2))
    queries, keys = make.array(3, 4, dtype="float64"), make.array(5, 4, dtype="float64")
    queries[:, 0], keys[:, 0] = [96.0, -96.0, 0.5], 112.0  # about 10000, -10000 and 56 for all keys alike
    agree.any_dtype.soft_lookup(queries, keys, make.array(5, 2))


@pytest.mark.points("soft_lookup", 0.5)
def test_a_single_key_gets_all_the_weight(agree, make):
    agree.any_dtype.soft_lookup(make.array(4, 3), make.array(1, 3), make.array(1, 2))
    agree.any_dtype.soft_lookup(make.array(1, 2), make.array(1, 2), make.array(1, 3))


@pytest.mark.points("soft_lookup", 0.5)
@pytest.mark.dtypes("float32", "float64")
def test_a_soft_lookup_keeps_the_dtype(agree, make):
    agree.soft_lookup(make.array(3, 4), make.array(5, 4), make.array(5, 2))


@pytest.mark.points("soft_lookup", 0.25)
def test_mixed_dtypes_are_promoted_as_numpy_does(agree, make):
    agree.soft_lookup(make.array(3, 4), make.array(5, 4, dtype="float64"), make.array(5, 2))
    # Small scores: a softmax in float32 may err by their rounding, and the result is float64 all the same.
    agree.soft_lookup(make.array(3, 4, scale=0.25), make.array(5, 4, scale=0.25), make.array(5, 2, dtype="float64"))


@pytest.mark.points("soft_lookup", 0.5)
def test_a_soft_lookup_in_arrays_of_any_layout(agree, make):
    for how in LAYOUTS:
        queries, keys, values = make.array(3, 4), make.array(5, 4), make.array(5, 2)
        agree.any_dtype.soft_lookup(laid_out(queries, how), laid_out(keys, how), laid_out(values, how))
