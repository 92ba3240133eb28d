# mistakes: lookup-last-of-equals
import numpy as np

def hard_lookup(query, keys, values):
    similarity = np.array([np.dot(query, k) for k in keys])
    ranking = np.argsort(similarity, kind="stable")
    return values[ranking[-1]]

def softmax(x, axis=-1):
    z = x - np.max(x, axis=axis, keepdims=True)
    num = np.exp(z)
    return num / num.sum(axis=axis, keepdims=True)

def soft_lookup(queries, keys, values):
    rows = [softmax(np.array([q @ k for k in keys])) for q in queries]
    attn = np.stack(rows)
    return np.dot(attn, values), attn
