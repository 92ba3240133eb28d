"""One run of one test: the steps it asks of a submission, what came back, and what went wrong first."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import torch

from autograder.calls import Action, Event, Handle, Outcome, Status, Step, Value
from autograder.compare import Expected, difference, ending, in_dtypes_of, leaves, structure
from autograder.graders.inputs import Make
from autograder.graders.prepared import Prepared
from autograder.model import Message, TestStatus
from autograder.targets import Target

Judge = Literal["agreement", "structure", "nothing"]


@dataclass(frozen=True, slots=True)
class Manner:
    """How a step is asked and judged. `error` names the exception that the reference raises."""

    judge: Judge
    with_gradients: bool = False
    dtype_matters: bool = True
    result_matters: bool = True
    error: str | None = None


# What ends a test at once; any other failure lets it go on, so that diagnosis sees every call.
_FINAL: dict[Status, TestStatus] = {
    Status.MISSING: "missing",
    Status.TIMEOUT: "timeout",
    Status.CRASHED: "crashed",
    Status.OUT_OF_MEMORY: "out-of-memory",
    Status.TAMPERED: "tampered",
}


class TestFault(Exception):
    """A test says something that does not hold of the reference: our fault, not the submission's."""

    __test__ = False


class Failure(Exception):
    """A test's verdict other than passed: its status and the sentence for it."""

    def __init__(self, status: TestStatus, message: Message) -> None:
        super().__init__(message.id, message.with_)
        self.status = status
        self.message = message


@dataclass
class Run:
    """Asks one target the steps of one test, beside the reference.

    `key` names the run (the test's name with its dtype); `function` is the one that the test's points belong to.
    """

    kit: Prepared
    target: Target
    key: str
    function: str
    make: Make
    outcomes: list[Outcome] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)
    handles: int = 0
    begun: bool = False
    bounded: bool = True  # whether the kernel keeps the calls within the memory that the test allows, if it allows one

    def callbacks(self, factory: Callable[[], Mapping[str, Callable[..., Any]]]) -> tuple[str, ...]:
        """Makes functions of the grader known by their names, which it gives; call before the first step."""
        names = tuple(factory())
        self.kit.recording(self.key).callbacks[names] = factory
        return names

    def new_handle(self) -> Handle:
        """A number for an object that stays where the submission runs."""
        self.handles += 1
        return Handle(self.handles)

    @property
    def hands_out_functions(self) -> bool:
        """Whether the submission may call functions of the grader."""
        return bool(self.kit.recording(self.key).callbacks)

    @property
    def events(self) -> tuple[Event, ...]:
        """Every call of a callback so far, in order."""
        return tuple(event for outcome in self.outcomes for event in outcome.events)

    def ask(self, step: Step, manner: Manner) -> Value:
        """Performs a step on the submission and judges it; the submission's value, None where there is none."""
        index = len(self.outcomes)
        expected = self.kit.expect(self.key, index, step)
        _check_raises(expected, manner)
        self._begin()
        with self.kit.timed("calls"):
            outcome = self.target.perform(step)
        if not manner.result_matters:
            outcome = replace(outcome, value=None, leaves=())
        self.outcomes.append(outcome)
        if not manner.dtype_matters:
            outcome = replace(outcome, value=in_dtypes_of(outcome.value, expected.plain.value))
        self._judge(step, outcome, expected, manner.judge)
        return outcome.value

    def cotangents(self, step: Step) -> tuple[Value, ...]:
        """One drawn tensor for each floating tensor of what the reference gives to a step, None for the others."""
        recorded = self.kit.recording(self.key).steps
        index = len(self.outcomes)
        if index < len(recorded):
            return recorded[index].cotangents or ()
        draw = Make(f"{self.make.seed}/cotangents/{index}", self.make.dtype, self.make.device)
        value = self.kit.preview(self.key, step).value
        return tuple(
            draw.tensor(*part.shape, dtype=part.dtype) if part.is_floating_point() else None
            for _, part in leaves(value)
            if isinstance(part, torch.Tensor)
        )

    def _begin(self) -> None:
        if not self.begun:
            self.begun = True
            self.target.begin(self.kit.recording(self.key).fresh_callbacks())

    def _judge(self, step: Step, outcome: Outcome, expected: Expected, judge: Judge) -> None:
        if outcome.status is Status.MISSING and step.on is not None:  # the class is there: it lacks something
            raise Failure("failed", ending(outcome))
        if outcome.status in _FINAL:
            raise Failure(_FINAL[outcome.status], ending(outcome))
        if is_unwritten(outcome) and not is_unwritten(expected.plain):
            raise Failure("skipped", Message("unwritten", {"name": self.function}))
        if outcome.used and self.kit.is_off_limits(self.function, outcome.used):
            self.failures.append(Failure("failed", Message("off-limits", {"names": list(outcome.used)})))
        with self.kit.timed("comparing"):
            message = self._message(outcome, expected, judge)
        if message is not None:
            self.failures.append(Failure("failed", message))
            if judge == "structure":
                raise self.failures[0]

    @staticmethod
    def _message(outcome: Outcome, expected: Expected, judge: Judge) -> Message | None:
        if judge == "agreement":
            return difference(outcome, expected)
        return structure(outcome, expected) if judge == "structure" else None


def _check_raises(expected: Expected, manner: Manner) -> None:
    raised, error = expected.plain.raised, manner.error
    if error is None and expected.plain.status is Status.RAISED and raised is not None:
        raise TestFault(f"the reference raises {raised.type_name} here: {raised.message}")  # a callback that fails, say
    if error is not None and (raised is None or error not in (raised.type_name, *raised.bases)):
        raise TestFault(f"the reference does not raise {error} here")


def is_unwritten(outcome: Outcome) -> bool:
    """Whether the function is still the stub."""
    raised = outcome.raised
    return outcome.status is Status.RAISED and raised is not None and raised.type_name == "NotImplementedError"


def action_for(kit: Prepared, name: str) -> Action:
    """Calling a class of the assignment builds an object."""
    kinds = {spec.name: spec.kind for spec in kit.assignment.functions}
    return Action.CONSTRUCT if kinds.get(name) == "class" else Action.CALL
