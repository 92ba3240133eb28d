# mistakes: similarity-cosine
import numpy as np


def hard_lookup(query, keys, values):
    query = query / np.sqrt((query**2).sum())
    unit = [key / np.sqrt((key**2).sum()) for key in keys]
    scores = [u @ query for u in unit]
    return values[np.argmax(scores)]


def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def normalise(v):
    return v / np.linalg.norm(v, axis=-1, keepdims=True)


def soft_lookup(queries, keys, values):
    attn = softmax(np.einsum("md,nd->mn", normalise(queries), normalise(keys)))
    return np.einsum("mn,nv->mv", attn, values), attn
