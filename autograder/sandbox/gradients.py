"""Vector-Jacobian products: one scalar from the results and the cotangents, and its gradients by name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import torch

from autograder.calls import Value
from autograder.sandbox.tensors import on_cpu


def pull_back(
    results: Sequence[torch.Tensor], cotangents: Iterable[Value], leaves: Mapping[str, torch.Tensor]
) -> dict[str, Value]:
    """The gradient of sum(result * cotangent) for each of `leaves`; None where none arrived.

    Results without a graph, or whose shape is not that of their cotangent, contribute nothing.
    """
    gradients: dict[str, Value] = dict.fromkeys(leaves)
    terms = [
        (result * cotangent.to(result.device)).sum()
        for result, cotangent in zip(results, cotangents, strict=False)
        if cotangent is not None and _has_part(result, cotangent)
    ]
    wanted = [name for name, leaf in leaves.items() if leaf.requires_grad]
    if terms and wanted:
        # A scalar: passing `grad_outputs` makes torch import some 500 modules, half a second in each child.
        total = torch.stack(terms).sum() if len({term.dtype for term in terms}) == 1 else sum(terms)
        found = torch.autograd.grad(total, [leaves[name] for name in wanted], allow_unused=True)
        gradients |= {name: None if grad is None else on_cpu(grad) for name, grad in zip(wanted, found, strict=True)}
    return gradients


def _has_part(result: torch.Tensor, cotangent: torch.Tensor) -> bool:
    return result.requires_grad and result.is_floating_point() and result.shape == cotangent.shape
