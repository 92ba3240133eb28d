# mistakes: output-and-weights-swapped, similarity-by-distance, softmax-default-axis
import numpy as np

def hard_lookup(query, keys, values):
    distance = np.sqrt(((keys - query) ** 2).sum(axis=1))
    return values[np.argmin(distance)]

def softmax(x, axis=0):
    peak = np.max(x, axis=axis, keepdims=True)
    power = np.exp(x - peak)
    return power / np.sum(power, axis=axis, keepdims=True)

def soft_lookup(queries, keys, values):
    weights = softmax(queries.dot(keys.T), axis=1)
    output = weights.dot(values)
    return weights, output
