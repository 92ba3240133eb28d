# mistakes: result-left-in-float64, softmax-global-max
import numpy as np

def hard_lookup(query, keys, values):
    winner = max(range(len(keys)), key=lambda i: keys[i] @ query)
    return values[winner]

def softmax(x, axis=-1):
    rows = np.moveaxis(x, axis, -1)
    out = np.zeros(rows.shape)
    top = x.max()
    for idx in np.ndindex(rows.shape[:-1]):
        e = np.exp(rows[idx] - top)
        out[idx] = e / e.sum()
    return np.moveaxis(out, -1, axis)

def _one_row(scores):
    p = np.exp(scores - scores.max())
    return p / p.sum()

def soft_lookup(queries, keys, values):
    W = np.array([_one_row(keys @ q) for q in queries])
    return np.array([w @ values for w in W]), W
