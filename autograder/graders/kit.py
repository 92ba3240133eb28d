"""An assignment made ready for grading: its reference, what the reference gives, and replays of known mistakes.

Everything here is fixed by (assignment, secret, device): one kit serves a class, and whatever it has computed once
(expected outcomes, a mistake's outcomes) it keeps.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import torch

from autograder.calls import Action, Outcome, Step, Value
from autograder.compare import Expected, Signature, signature
from autograder.content import generated, in_pieces, parse
from autograder.graders.heeding import Heed, Place, heed
from autograder.graders.inputs import PUBLIC
from autograder.graders.prepared import CallsDepend, Prepared, Recording
from autograder.model import Assignment, Case, ContentError, Edit, Mistake, UsageError
from autograder.targets.inprocess import InProcess

COMPOSED_KEPT = 1000  # worlds of several cases, of at most 100 kB each; those of one case are all kept


class Kit(Prepared):
    """One assignment on one device with one secret."""

    def __init__(self, assignment: Assignment, device: str = "cpu", secret: str = PUBLIC) -> None:
        super().__init__(assignment, usable_device(device), secret)
        self.strict = False  # compare every recorded call by its bits: for proofs, not for a class
        self._at = ("", 0)  # which test the reference is in, after how many steps
        self._generated: tuple[Mistake, ...] | None = None
        self._singles: dict[tuple[Edit, ...], Replayed] = {}
        self._heeds: dict[tuple[frozenset[Edit], str], Heed] = {}
        self._composed: dict[tuple[Edit, ...], Replayed] = {}
        self._solution = parse(assignment.solution)
        self._plain = self._loaded_reference()
        self._exact = self._loaded_reference()

    def preview(self, test: str, step: Step) -> Outcome:
        """What the reference would give to the next step of a test; it is asked again later, so nothing may change."""
        self._continue(self.recording(test), test)
        return self._plain.perform(step)

    def expect(self, test: str, index: int, step: Step) -> Expected:
        """What the reference gives to step `index` of a test: computed once for the class."""
        recording = self.recording(test)
        if index < len(recording.steps):
            self._check_same(test, index, step)
            return recording.expected[index]
        with self.timed("reference"):
            self._continue(recording, test)
            expected = self._ask_reference(step)
        recording.steps.append(step)
        recording.expected.append(expected)
        recording.signatures.append(signature(expected.plain, expected))
        return expected

    def _check_same(self, test: str, index: int, step: Step) -> None:
        known = self.recordings[test].steps[index]
        if (step.action, step.name) != (known.action, known.name) or (self.strict and not same_call(step, known)):
            raise CallsDepend(f"{test}: call {index + 1} depends on what the submission returned")

    def _continue(self, recording: Recording, test: str) -> None:
        """Brings the reference's objects to where a test stands, if another program ran in between."""
        if self._at == (test, len(recording.steps)):
            return
        for target in (self._plain, self._exact):
            target.begin(recording.fresh_callbacks())
        for step in recording.steps:
            self._ask_reference(step)
        self._at = (test, len(recording.steps))

    def _ask_reference(self, step: Step) -> Expected:
        plain = self._plain.perform(step)
        exact = self._exact.perform(in_float64(step))
        _to_float64(self._exact, step)
        self._at = (self._at[0], self._at[1] + 1)
        return Expected(plain, exact if exact.status is plain.status else plain)

    def reference(self, test: str) -> InProcess:  # noqa: ARG002 - it answers whatever it is asked
        """Another instance of the reference, for tests that call it by itself."""
        return self._target(())

    def replay(self, cases: Sequence[Case]) -> Replayed:
        """The reference with some cases' edits, ready to be asked; kept, those of several cases while there is room."""
        edits = tuple(sorted((edit for case in cases for edit in case.edits), key=lambda edit: edit.start))
        worlds = self._singles if len(cases) == 1 else self._composed
        world = worlds.pop(edits, None) or self.world(edits)
        if len(self._composed) >= COMPOSED_KEPT:
            del self._composed[next(iter(self._composed))]  # that which was not asked for longest
        worlds[edits] = world
        return world

    def heeds(self, cases: Sequence[Case], run: str, among: Sequence[str]) -> bool:
        """Whether all that matters to the reference in a test's run is heeded somewhere in the world of some cases."""
        if not self.follow_through:
            return False
        heeded = frozenset[Place]().union(*(self._heed(cases, other).heeded for other in among))
        return self._heed(cases, run).matters <= heeded

    def _heed(self, cases: Sequence[Case], run: str) -> Heed:
        asked = (frozenset(edit for case in cases for edit in case.edits), run)
        if asked not in self._heeds:
            recording = self.recordings[run]
            with self.timed("replays"):
                worlds = self.reference(run), self.edited(cases)
                self._heeds[asked] = heed(recording.steps, recording.fresh_callbacks, *worlds)
        return self._heeds[asked]

    def edited(self, cases: Sequence[Case]) -> InProcess:
        """The reference with some cases' edits, as a target that can be asked anything."""
        return self._target([edit for case in cases for edit in case.edits])

    def generated(self) -> Sequence[Mistake]:
        """Every small edit of the reference."""
        if self._generated is None:
            self._generated = generated(self.assignment.solution)
        return self._generated

    def world(self, edits: Sequence[Edit]) -> Replayed:
        """The same from edits, and not kept: for those who ask of thousands, once each."""
        return Replayed(self, self._target(edits))

    def _loaded_reference(self) -> InProcess:
        """The reference. Raises ContentError where it does not load: everybody would be measured by nothing."""
        target = self._target(())
        for outcome in target.load_outcomes:
            if outcome.raised is not None:
                what = f"{outcome.raised.type_name}: {outcome.raised.message}"
                raise ContentError(f"{self.assignment.name}/solution.py: does not load: {what}")
        return target

    def _target(self, edits: Sequence[Edit]) -> InProcess:
        pieces = in_pieces(self._solution, edits)
        cells = [("solution.py", piece, first_line) for piece, first_line in pieces]
        return InProcess.from_cells(cells, self.assignment.helpers)


class Replayed:
    """A mistaken world: the recorded programs, run on an edited reference, each as far as it is asked for."""

    def __init__(self, kit: Kit, target: InProcess) -> None:
        self._kit = kit
        self._target = target
        self._outcomes: dict[str, list[Outcome]] = {}
        self._given: dict[str, list[Signature]] = {}
        self._under_way = ""  # the program whose objects the target holds

    def gives(self, key: str, index: int) -> Signature:
        """What this world gives to call `index` of a test's run."""
        given = self._given.setdefault(key, [])
        expected = self._kit.recordings[key].expected
        given.extend(signature(self.outcome(key, i), expected[i]) for i in range(len(given), index + 1))
        return given[index]

    def outcome(self, key: str, index: int) -> Outcome:
        """The same as an outcome."""
        outcomes = self._outcomes.get(key, ())
        if index >= len(outcomes):
            with self._kit.timed("replays"):
                outcomes = self._continued(key, index)
        return outcomes[index]

    def _continued(self, key: str, index: int) -> list[Outcome]:
        """The outcomes up to a call; all, where another program was asked for since: this one has to begin again."""
        recording = self._kit.recordings[key]
        end = index + 1
        if self._under_way != key:
            end = len(recording.steps) if key in self._outcomes else end
            self._target.begin(recording.fresh_callbacks())
            self._under_way, self._outcomes[key] = key, []
        done = self._outcomes[key]
        done.extend(self._target.perform(step) for step in recording.steps[len(done) : end])
        return done


def in_float64(step: Step) -> Step:
    """The same step with every floating tensor and array in float64 on the CPU."""
    return replace(
        step,
        args=tuple(_precise(value) for value in step.args),
        kwargs={name: _precise(value) for name, value in step.kwargs.items()},
        cotangents=None if step.cotangents is None else tuple(_precise(value) for value in step.cotangents),
    )


def _precise(value: Value) -> Value:
    if isinstance(value, torch.Tensor):
        return value.to("cpu", torch.float64) if value.is_floating_point() else value.to("cpu")
    if isinstance(value, np.ndarray):
        return value.astype(np.float64) if value.dtype.kind == "f" else value
    if isinstance(value, torch.device):
        return torch.device("cpu")
    if isinstance(value, (tuple, list)):
        return type(value)(_precise(part) for part in value)
    if isinstance(value, dict):
        return {key: _precise(part) for key, part in value.items()}
    return value


def _to_float64(target: InProcess, step: Step) -> None:
    """Modules just built compute in float64 from here on."""
    if step.into is not None and step.action in (Action.CONSTRUCT, Action.HELPER, Action.METHOD):
        kept = target.kept(step.into)
        if isinstance(kept, torch.nn.Module):
            kept.to("cpu", torch.float64)


def same_call(one: Step, other: Step) -> bool:
    """Whether two steps ask the same; values are compared by their bits."""
    plain = (one.action, one.name, one.on, one.into) == (other.action, other.name, other.on, other.into)
    return plain and _same(one.args, other.args) and _same(dict(one.kwargs), dict(other.kwargs))


def _same(one: Value, other: Value) -> bool:
    if isinstance(one, torch.Tensor) and isinstance(other, torch.Tensor):
        return one.dtype == other.dtype and one.shape == other.shape and bool(torch.equal(one, other))
    if isinstance(one, np.ndarray) and isinstance(other, np.ndarray):
        return one.dtype == other.dtype and one.shape == other.shape and one.tobytes() == other.tobytes()
    if isinstance(one, (tuple, list)) and isinstance(other, (tuple, list)):
        return len(one) == len(other) and all(_same(a, b) for a, b in zip(one, other, strict=True))
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return one.keys() == other.keys() and all(_same(one[key], other[key]) for key in one)
    return type(one) is type(other) and bool(one == other)


def usable_device(device: str) -> str:
    """The device, with auto resolved. Raises UsageError for one that this machine lacks."""
    available = {"cpu": True, "cuda": torch.cuda.is_available(), "mps": torch.backends.mps.is_available()}
    if device == "auto":
        return next(name for name in ("cuda", "mps", "cpu") if available[name])
    if device not in available:
        raise UsageError(f"no such device: {device} (cpu, cuda, mps or auto)")
    if not available[device]:
        raise UsageError(f"this machine has no {device} device that PyTorch can use")
    return device
