# mistakes: softmax-over-query-axis
import numpy as np


def hard_lookup(query, keys, values):
    return values[max(range(len(keys)), key=lambda i: keys[i] @ query)]


def softmax(x, axis=-1):
    e = np.exp(np.subtract(x, np.maximum.reduce(x, axis=axis, keepdims=True)))
    return np.true_divide(e, np.add.reduce(e, axis=axis, keepdims=True))


def soft_lookup(queries, keys, values):
    attn = softmax(np.einsum("md,nd->mn", queries, keys), 0)
    return np.einsum("mn,nv->mv", attn, values), attn
