# mistakes: weights-rounded
import numpy as np

def hard_lookup(query, keys, values):
    scores = (keys * query).sum(axis=1)
    return values[int(scores.argmax())]

def softmax(x, axis=-1):
    m = x.max(axis=axis)
    m = np.expand_dims(m, axis)
    ex = np.exp(x - m)
    return ex / np.expand_dims(ex.sum(axis=axis), axis)

def soft_lookup(queries, keys, values):
    alpha = softmax(queries @ keys.T, axis=1)
    answer = alpha @ values
    # nicer to read
    alpha = np.round(alpha, 3)
    return answer, alpha
