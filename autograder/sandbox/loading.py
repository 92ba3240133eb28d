"""Runs the cells of a submission in one namespace, and helpers.py in another."""

from __future__ import annotations
import __future__

import functools
import linecache
import operator
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from types import CodeType, ModuleType

from autograder.calls import Outcome, Status
from autograder.sandbox.errors import failed

SUBMISSION = "submission"  # its __name__, so that `if __name__ == "__main__":` blocks do not run
HELPERS = "helpers"
_FEATURES = [getattr(__future__, name) for name in __future__.all_feature_names]
_FUTURES = functools.reduce(operator.or_, (feature.compiler_flag for feature in _FEATURES))

Piece = tuple[str, str, int]
"""A cell: label (the file named in messages), source, and the line of the file at which it starts."""


@dataclass
class Program:
    """A module that is filled piece by piece, and its text by file label.

    `interruptible`: a KeyboardInterrupt (somebody stops us) passes through instead of being what a piece gave.
    """

    module: ModuleType
    sources: dict[str, list[str]] = field(default_factory=dict)
    interruptible: bool = False
    flags: int = 0  # `from __future__` of one cell holds for the next ones

    @classmethod
    def named(cls, name: str, *, interruptible: bool = False) -> Program:
        """An empty module of that name; the caller says whether it stands in `sys.modules`."""
        return cls(ModuleType(name), interruptible=interruptible)

    def run(self, pieces: Iterable[Piece]) -> Iterator[Outcome]:
        """Run the pieces in order; one that fails, even by SystemExit, does not stop the next."""
        for label, source, first_line in pieces:
            try:
                self._run(label, source, first_line)
                yield Outcome(Status.RETURNED)
            except BaseException as error:  # the submission may raise anything
                if self.interruptible and issubclass(type(error), KeyboardInterrupt):
                    raise
                yield failed(error, self.sources)

    def _run(self, label: str, source: str, first_line: int) -> None:
        # Empty lines in front make every line number that of the file.
        text = "\n" * (first_line - 1) + source
        self._register(label, text)
        code = _compiled(text, label, self.flags)
        self.flags |= code.co_flags & _FUTURES
        exec(code, self.module.__dict__)

    def _register(self, label: str, text: str) -> None:
        """Make the lines known to tracebacks; several pieces may be parts of one file."""
        lines = self.sources.setdefault(label, [])
        new = text.split("\n")
        lines.extend("" for _ in range(len(new) - len(lines)))
        lines[: len(new)] = [line or old for line, old in zip(new, lines, strict=False)]
        linecache.cache[label] = (sum(map(len, lines)), None, [line + "\n" for line in lines], label)


@functools.lru_cache(maxsize=2048)
def _compiled(text: str, label: str, flags: int) -> CodeType:
    """Code is the same for every program that has a piece: mistaken worlds differ in one or two."""
    code: CodeType = compile(text, label, "exec", flags=flags, dont_inherit=True)
    return code
