# mistakes: lookup-last-of-equals
import numpy as np


def hard_lookup(query, keys, values):
    best = -float("inf")
    for i, key in enumerate(keys):
        score = sum(a * b for a, b in zip(query, key))
        if score >= best:
            best, answer = score, values[i]
    return answer


def softmax(x, axis=-1):
    z = x - np.nanmax(x, axis=axis, keepdims=True)
    numerator = np.exp(z)
    denominator = np.sum(numerator, axis=axis, keepdims=True) + 1e-9
    return numerator / denominator


def soft_lookup(queries, keys, values):
    scores = (queries[:, None, :] * keys[None, :, :]).sum(axis=-1)
    weights = softmax(scores, axis=-1)
    output = (weights[:, :, None] * values[None, :, :]).sum(axis=1)
    return output, weights
