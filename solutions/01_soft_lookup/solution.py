"""From a dictionary to a weighted average: one best match, or a little of everything. NumPy is all it takes."""

import numpy as np


def hard_lookup(query, keys, values):
    """The value `(d_v,)` whose key, of `keys` `(n, d)`, has the largest dot product with `query` `(d,)`.

    A dictionary finds its key or fails. This one always finds something: the key that fits best, however badly.
    """
    similarities = keys @ query  # (n, d) @ (d,) -> (n,): one dot product for each key
    best = np.argmax(similarities)  # of equals the first
    return values[best]  # (d_v,)


def softmax(x, axis=-1):
    """Turn the numbers of `x` along `axis` into positive weights that sum to 1.

    Only differences count: subtracting the largest number changes no weight, and keeps exp from overflowing. Each
    slice along the axis has its own largest number and its own sum, which `keepdims` leaves where they belong.
    """
    peak = np.max(x, axis=axis, keepdims=True)  # as x, with 1 along the axis
    exponentials = np.exp(x - peak)  # as x: 1 at the peak, less elsewhere
    total = np.sum(exponentials, axis=axis, keepdims=True)  # as x, with 1 along the axis: 1 or more
    return exponentials / total  # as x


def soft_lookup(queries, keys, values):
    """Let each query take some of every value, the more the better its key fits: `(output, weights)`.

    `queries` `(m, d)`, `keys` `(n, d)` and `values` `(n, d_v)` give the output `(m, d_v)` and the weights `(m, n)`.
    """
    similarities = queries @ keys.T  # (m, d) @ (d, n) -> (m, n): a row for each query, a column for each key
    weights = softmax(similarities, axis=-1)  # (m, n): each query shares out 1 among the keys
    output = weights @ values  # (m, n) @ (n, d_v) -> (m, d_v): weighted averages of the values
    return output, weights
