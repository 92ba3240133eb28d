# mistakes: softmax-clips-numbers
import numpy as np


def hard_lookup(query, keys, values):
    answer, top = values[-1], keys[-1] @ query
    for i in reversed(range(len(keys) - 1)):
        if (score := keys[i] @ query) >= top:
            answer, top = values[i], score
    return answer


def softmax(x, axis=-1):
    safe = np.where(x > 50, 50, np.where(x < -50, -50, x)).astype(x.dtype)
    e = np.exp(safe)
    return e / e.sum(axis=axis, keepdims=True)


def soft_lookup(queries, keys, values):
    outputs, all_weights = [], []
    for query in queries:
        w = softmax(keys @ query)
        outputs.append(w @ values)
        all_weights.append(w)
    return np.stack(outputs), np.stack(all_weights)
