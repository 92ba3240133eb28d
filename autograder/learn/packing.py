"""Makes packs: the visible tests' calls, answered by the reference and by each known mistake, as numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import msgspec
from msgspec.structs import replace

from autograder.compare import difference
from autograder.content import apply, load
from autograder.graders.kit import Kit
from autograder.graders.session import Ran, run_graders
from autograder.learn.outcomes import Outcomes
from autograder.learn.pack import (
    FORMAT,
    LARGEST,
    TESTS,
    Pack,
    PackedRun,
    Questions,
    digest,
    inputs_digest,
    packed,
    write,
)
from autograder.learn.pairing import Calls, near, pairs_of
from autograder.learn.showing import call_text, result_text, without_code
from autograder.model import Assignment, Case, ContentError, Edit, Mistake, ShownCall, Text
from autograder.targets.inprocess import InProcess


def write_pack(folder: Path, out: Path) -> None:
    """Writes the pack of an authored folder to the file `out`; the same folder gives the same bytes.

    Raises ContentError for faults of the folder: also where calls of its visible tests depend on what the submission
    returned, and where the pack grows too large.
    """
    content = write(pack_of(load(folder)))
    if len(content) > LARGEST:
        raise ContentError(f"{folder.name}: its pack has {len(content)} bytes; {LARGEST} is the most")
    out.write_bytes(content)


def pack_of(assignment: Assignment) -> Pack:
    """The pack of an assignment. Raises ContentError."""
    kit = Kit(replace(assignment, mistakes=tuple(m for m in assignment.mistakes if not m.retired)))
    kit.strict = True
    reference = _visible_runs(kit, assignment.solution)
    for mistake in kit.assignment.mistakes:
        _visible_runs(kit, apply(assignment.solution, mistake.cases[0].edits))
    return _Packing(kit, tuple(reference)).pack()


def _visible_runs(kit: Kit, source: str) -> list[Ran]:
    """The visible tests, run on a source; their calls must be the same as ever."""
    target = InProcess.from_source(source, kit.assignment.helpers, filename="packed.py", watch=kit.watch)
    runs = run_graders(kit, target, visible_only=True)
    faults = [ran.message.with_["text"] for ran in runs if ran.status == "error" and ran.message is not None]
    if faults:
        raise ContentError(*(f"{kit.assignment.name}/test_visible.py: {fault}" for fault in dict.fromkeys(faults)))
    return runs


@dataclass
class _Packing:
    """One pack in the making; `runs` are those of the reference."""

    kit: Kit
    runs: Sequence[Ran]
    outcomes: Outcomes = field(default_factory=Outcomes)

    def pack(self) -> Pack:
        """All of it."""
        assignment = self.kit.assignment
        runs = tuple(self._run(ran) for ran in self.runs)
        cases = tuple(self._case(case) for case in self.calls.cases)
        return Pack(
            format=FORMAT,
            made_from=inputs_digest(assignment.folder),
            tests_sha256=digest(assignment.folder / TESTS),
            assignment=public(assignment, {ran.test for ran in self.runs}),
            runs=runs,
            cases=cases,
            examples={mistake.id: found for mistake in assignment.mistakes if (found := self._example(mistake))},
            outcomes=packed(self.outcomes.message()),
            pairs=packed(msgspec.msgpack.encode(pairs_of(self.calls))),
            questions=packed(msgspec.msgpack.encode(_questions(assignment))),
        )

    @cached_property
    def calls(self) -> Calls:
        """Every visible call."""
        return Calls(self.kit, self.runs)

    def _run(self, ran: Ran) -> PackedRun:
        expected = self.kit.recordings[ran.key].expected
        numbers = tuple((self.outcomes.number(one.plain), self.outcomes.number(one.exact)) for one in expected)
        return PackedRun(ran.key, ran.function, numbers)

    def _case(self, case: Case) -> tuple[tuple[int, int], ...]:
        world = self.kit.replay([case])
        return tuple(
            (number, self.outcomes.number(world.outcome(call.key, call.index)))
            for number, call in self.calls.reached_by(case)
            if not near(world.gives(call.key, call.index), call.reference)
        )

    def _example(self, mistake: Mistake) -> ShownCall | None:
        """The smallest call in which its first case differs from the reference."""
        case = mistake.cases[0]
        world = self.kit.replay([case])
        shown = [
            (call.size, number, call, message)
            for number, call in self.calls.reached_by(case)
            if (message := difference(world.outcome(call.key, call.index), call.expected))
        ]
        if not shown:
            return None
        _, _, call, message = min(shown, key=lambda entry: entry[:2])
        outcomes = (call.expected.plain, world.outcome(call.key, call.index))
        return ShownCall(call_text(call.program), without_code(message), *map(result_text, outcomes))


def public(assignment: Assignment, tests: set[str]) -> Assignment:
    """What of an assignment a learner may have: no solution, no hidden test's sentence, of edits only their places."""
    return replace(
        assignment,
        folder=Path(),
        solution="",
        mistakes=tuple(map(_public_mistake, assignment.mistakes)),
        texts={language: _public_text(text, assignment, tests) for language, text in assignment.texts.items()},
        questions=(),
    )


def _public_mistake(mistake: Mistake) -> Mistake:
    cases = tuple(
        replace(case, edits=tuple(Edit(edit.start, edit.end, "") for edit in case.edits)) for case in mistake.cases
    )
    return replace(mistake, cases=cases, source="", looks_like=dict.fromkeys(mistake.looks_like, ""))


def _public_text(text: Text, assignment: Assignment, tests: set[str]) -> Text:
    known = {mistake.id for mistake in assignment.mistakes}
    return replace(
        text,
        tests={name: sentence for name, sentence in text.tests.items() if name in tests},
        mistakes={id_: sentences for id_, sentences in text.mistakes.items() if id_ in known},
        questions={},
    )


def _questions(assignment: Assignment) -> Questions:
    return Questions(assignment.questions, {language: text.questions for language, text in assignment.texts.items()})
