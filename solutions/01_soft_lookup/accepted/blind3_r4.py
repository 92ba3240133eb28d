# accepted: in its own way
import numpy as np

def hard_lookup(query, keys, values):
    order = np.argsort(-(keys @ query), kind="stable")
    return values[order][0]

def softmax(x, axis=-1):
    def one(v):
        e = np.exp(v - v.max())
        return e / e.sum()
    return np.apply_along_axis(one, axis, x)

def soft_lookup(queries, keys, values):
    weights = softmax(keys @ queries.T, axis=0).T
    output = (values.T @ weights.T).T
    return output, weights
