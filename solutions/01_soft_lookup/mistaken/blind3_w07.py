# mistakes: output-averaged-over-keys, softmax-no-max-subtraction
import numpy as np

def hard_lookup(query, keys, values):
    return values[(keys @ query).argmax()]

def softmax(x, axis=-1):
    e_x = np.exp(x)
    return e_x / e_x.sum(axis=axis, keepdims=True)

def soft_lookup(queries, keys, values):
    w = softmax(np.inner(queries, keys))
    mixed = w[:, :, np.newaxis] * values[np.newaxis, :, :]
    return mixed.mean(axis=1), w
