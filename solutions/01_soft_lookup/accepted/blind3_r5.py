# accepted: in its own way
import numpy as np

class Table:
    def __init__(self, keys, values):
        self.keys, self.values = keys, values
    def scores(self, q):
        return q @ self.keys.T
    def hard(self, q):
        return self.values[np.flatnonzero(self.scores(q) >= self.scores(q).max())[0]].copy()
    def soft(self, q):
        w = softmax(self.scores(q), axis=-1)
        return w @ self.values, w

def hard_lookup(query, keys, values):
    return Table(keys, values).hard(query)

def softmax(x, axis=-1):
    y = np.array(x, copy=True)
    np.subtract(y, y.max(axis=axis, keepdims=True), out=y)
    np.exp(y, out=y)
    np.divide(y, y.sum(axis=axis, keepdims=True), out=y)
    return y

def soft_lookup(queries, keys, values):
    return Table(keys, values).soft(queries)
