"""Graders run on the device that is asked for, and say so where a machine lacks it."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from autograder.calls import Action, Step
from autograder.content import load
from autograder.graders.kit import Kit, in_float64
from autograder.model import UsageError
from autograder.prove import prove

ACCELERATORS = {"cuda": torch.cuda.is_available(), "mps": torch.backends.mps.is_available()}


@pytest.mark.parametrize("device", ACCELERATORS)
def test_a_device_that_is_not_there_is_refused_in_one_line(folder: Path, device: str) -> None:
    if ACCELERATORS[device]:
        pytest.skip(f"this machine has {device}")
    with pytest.raises(UsageError, match=f"this machine has no {device} device that PyTorch can use"):
        Kit(load(folder), device)


def test_a_device_that_nobody_knows_is_refused(folder: Path) -> None:
    with pytest.raises(UsageError, match="no such device: tpu"):
        Kit(load(folder), "tpu")


def test_auto_takes_the_best_device_there_is(folder: Path) -> None:
    best = next((name for name, there in ACCELERATORS.items() if there), "cpu")
    assert Kit(load(folder), "auto").device == best


@pytest.mark.parametrize("device", ACCELERATORS)
def test_an_assignment_is_proved_on_an_accelerator(folder: Path, device: str) -> None:
    if not ACCELERATORS[device]:
        pytest.skip(f"this machine has no {device} device")
    assert prove(folder, device)["faults"] == []


def test_the_exact_reference_computes_on_the_cpu_in_float64() -> None:
    step = Step(
        Action.CALL, "f", (torch.ones(2), torch.arange(2)), {"device": torch.device("meta"), "d": [torch.ones(1)]}
    )
    exact = in_float64(step)
    assert [part.dtype for part in exact.args] == [torch.float64, torch.int64]
    assert exact.kwargs["device"] == torch.device("cpu")
    assert exact.kwargs["d"][0].dtype == torch.float64
