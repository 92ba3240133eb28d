# accepted: recursion over slices, a while loop, PyTorch inside the lookup
import numpy as np
import torch


def hard_lookup(query, keys, values):
    best, i = 0, 1
    while i < len(keys):
        if keys[i] @ query > keys[best] @ query:
            best = i
        i += 1
    return values[best, :]


def softmax(x, axis=-1):
    axis = axis % x.ndim
    if x.ndim == 1:
        e = np.exp(x - max(x))
        return e / e.sum()
    other = 0 if axis else 1  # the slices along another axis, one by one
    parts = [softmax(np.take(x, i, axis=other), axis - (axis > other)) for i in range(x.shape[other])]
    return np.stack(parts, axis=other)


def soft_lookup(queries, keys, values):
    kind = np.result_type(queries, keys, values)
    q, k, v = (torch.from_numpy(np.array(a, dtype=kind, order="C")) for a in (queries, keys, values))
    weights = torch.softmax(q @ k.T, dim=-1)
    return (weights @ v).numpy(), weights.numpy().astype(np.result_type(queries, keys))
