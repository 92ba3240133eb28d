# mistakes: argument-changed-in-place, similarity-cosine
import numpy as np

def similarity(a, b):
    return a @ b / (np.linalg.norm(a) * np.linalg.norm(b) + 1e-12)

def hard_lookup(query, keys, values):
    sims = [similarity(query, key) for key in keys]
    return values[sims.index(max(sims))]

def softmax(x, axis=-1):
    x -= np.max(x, axis=axis, keepdims=True)
    return np.exp(x) / np.sum(np.exp(x), axis=axis, keepdims=True)

def soft_lookup(queries, keys, values):
    weights = softmax(np.matmul(queries, np.transpose(keys)))
    output = np.matmul(weights, values)
    return output, weights
