# accepted: in its own way
import numpy as np

def hard_lookup(query, keys, values):
    s = np.einsum("d,nd->n", query, keys)
    return np.compress(s == s.max(), values, axis=0)[0]

def softmax(x, axis=-1):
    x = x - x.max(axis=axis, keepdims=True)
    return np.exp(x - np.logaddexp.reduce(x, axis=axis, keepdims=True))

def soft_lookup(queries, keys, values):
    w = softmax(np.einsum("md,nd->mn", queries, keys))
    return np.einsum("mn,nv->mv", w, values), w
