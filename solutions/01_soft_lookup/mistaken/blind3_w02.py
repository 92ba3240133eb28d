# mistakes: softmax-axis-used-once
import numpy as np

def hard_lookup(query, keys, values):
    return values[np.argmax(np.einsum("nd,d->n", keys, query))]

def softmax(x, axis=-1):
    biggest = np.amax(x, axis=axis, keepdims=True)
    e = np.exp(x - biggest)
    total = np.sum(e, axis=-1, keepdims=True)
    return e / total

def soft_lookup(queries, keys, values):
    s = np.einsum("md,nd->mn", queries, keys)
    w = softmax(s)
    return np.einsum("mn,nv->mv", w, values), w
