# mistakes: lookup-starts-from-zero, softmax-over-query-axis
import numpy as np

def hard_lookup(query, keys, values):
    best_score = 0
    best_value = values[0]
    for key, value in zip(keys, values):
        score = np.dot(query, key)
        if score > best_score:
            best_score = score
            best_value = value
    return best_value

def softmax(x, axis=-1):
    x = x - x.max(axis=axis, keepdims=True)
    e = np.exp(x)
    return e / e.sum(axis=axis, keepdims=True)

def soft_lookup(queries, keys, values):
    table = queries @ keys.T
    shares = softmax(table, axis=0)
    return shares @ values, shares
