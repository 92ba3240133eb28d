# mistakes: softmax-over-query-axis
import numpy as np


def hard_lookup(query, keys, values):
    return values[max(range(len(keys)), key=lambda i: keys[i] @ query)]


def softmax(x, axis=-1):
    shifted = x - x.max(axis=axis, keepdims=True)
    e = np.exp(shifted, where=shifted > -80, out=np.zeros_like(shifted))
    return np.divide(e, e.sum(axis=axis, keepdims=True))


def soft_lookup(queries, keys, values):
    attn = softmax(np.einsum("md,nd->mn", queries, keys), 0)
    return np.einsum("mn,nv->mv", attn, values), attn
