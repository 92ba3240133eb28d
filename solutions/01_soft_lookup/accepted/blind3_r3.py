# accepted: in its own way
import numpy as np

def hard_lookup(query, keys, values):
    if len(keys) == 1:
        return values[0]
    rest = range(len(keys))
    return values[max(rest, key=lambda i: (float((query * keys[i]).sum()), -i))]

def softmax(x, axis=-1):
    # one over the sum of exp of all differences; an overflow means weight 0
    a = np.moveaxis(x, axis, -1)
    with np.errstate(over="ignore"):
        ratio = np.exp(a[..., None, :] - a[..., :, None])
        w = 1 / ratio.sum(axis=-1)
    return np.moveaxis(w, -1, axis).astype(x.dtype)

def soft_lookup(queries, keys, values):
    out, all_w = [], []
    for q in queries:
        w = softmax(keys @ q)
        all_w.append(w)
        out.append((w[:, None] * values).sum(axis=0))
    return [*map(np.array, (out, all_w))][0], np.array(all_w)
