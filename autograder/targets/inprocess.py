"""A target in this very process: the reference, a known mistake, or a learner's own code in their notebook."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import ModuleType
from typing import Any, Self

from autograder.calls import Handle, Outcome, Status, Step, Value
from autograder.sandbox.errors import Sources
from autograder.sandbox.loading import HELPERS, SUBMISSION, Piece, Program
from autograder.sandbox.perform import Stage, perform


class InProcess:
    """Answers steps from a namespace. Arguments are handed over as copies; the caller's tensors stay as they are.

    `helpers` is the namespace of the assignment's helpers.py; `watch` names the library functions to report in
    `Outcome.used`; `sources` is the code's text by file label, of which tracebacks show lines.
    """

    def __init__(
        self,
        namespace: dict[str, Any],
        helpers: dict[str, Any],
        watch: Sequence[str] = (),
        sources: Sources | None = None,
    ) -> None:
        self.load_outcomes: tuple[Outcome, ...] = ()
        self._stage = Stage(namespace, helpers, sources or {}, watch, interruptible=True)

    @classmethod
    def from_source(
        cls, source: str, helpers_source: str = "", *, filename: str, watch: Sequence[str] = ()
    ) -> InProcess:
        """Run `source` as a module; what it raises while loading is the one outcome in `load_outcomes`."""
        return cls.from_cells([(filename, source, 1)], helpers_source, watch=watch)

    @classmethod
    def from_cells(cls, cells: Sequence[Piece], helpers_source: str = "", *, watch: Sequence[str] = ()) -> InProcess:
        """Run cells, each (label, source, first line), in one namespace; `load_outcomes` has an outcome for each.

        Raises RuntimeError where `helpers_source` fails.
        """
        helpers, code = (Program.named(name, interruptible=True) for name in (HELPERS, SUBMISSION))
        with _importable(helpers.module, code.module):
            _fill(helpers, helpers_source)
            outcomes = tuple(code.run(cells))
        target = cls(code.module.__dict__, helpers.module.__dict__, watch, code.sources)
        target.load_outcomes = outcomes
        return target

    @classmethod
    def from_namespace(
        cls,
        namespace: dict[str, Any],
        helpers_source: str = "",
        *,
        watch: Sequence[str] = (),
        sources: Sources | None = None,
    ) -> Self:
        """What stands in a namespace already, say a notebook's. Raises RuntimeError where `helpers_source` fails."""
        helpers = Program.named(HELPERS, interruptible=True)
        with _importable(helpers.module):
            _fill(helpers, helpers_source)
        return cls(namespace, helpers.module.__dict__, watch, sources)

    def begin(self, callbacks: Mapping[str, Callable[..., Value]]) -> None:
        """Start a new program: objects of the last one are forgotten."""
        self._stage.begin(callbacks)

    def perform(self, step: Step) -> Outcome:
        """Run one step here, without a time limit; KeyboardInterrupt passes through."""
        return perform(self._stage, step)

    def kept(self, handle: Handle) -> Any:
        """The object under a handle; None where its construction failed."""
        return self._stage.objects.get(handle.number)

    def close(self) -> None:
        """Forget all objects."""
        self._stage.begin({})


def _fill(helpers: Program, source: str) -> None:
    for outcome in helpers.run([("helpers.py", source, 1)] if source else []):
        if outcome.status is not Status.RETURNED:
            raise RuntimeError(f"helpers.py failed: {outcome.raised}")


@contextmanager
def _importable(*modules: ModuleType) -> Iterator[None]:
    """Let dataclasses and `import helpers` find the modules while they load; afterwards all is as before."""
    before = {module.__name__: sys.modules.get(module.__name__) for module in modules}
    sys.modules.update({module.__name__: module for module in modules})
    try:
        yield
    finally:
        for name, module in before.items():
            if module is None:
                del sys.modules[name]
            else:
                sys.modules[name] = module
