# accepted: the axis moved to the front, where() for ties, a column for each query
import numpy as np


def hard_lookup(query, keys, values):
    s = keys.dot(query)
    winners = np.where(s == s.max())[0]
    return values[winners[0]]


def softmax(x, axis=-1):
    first = np.moveaxis(x, axis, 0)
    e = np.exp(first - first.max(0))
    return np.moveaxis(e / e.sum(0), 0, axis)


def soft_lookup(queries, keys, values):
    columns = softmax(keys @ queries.T, axis=0)  # (n, m): a query in each column
    return columns.T @ values, columns.T
