"""The grader's functions as a submission calls them: how often, and how much is said both ways, has an end."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from autograder.calls import Event, Exceeded, Limit, Status, Value
from autograder.sandbox.limits import Limits
from autograder.sandbox.nodes import Buffer, Node, WireError, items, text
from autograder.sandbox.spending import Exhausted
from autograder.sandbox.wire import Reader, Writer

Callbacks = Mapping[str, Callable[..., Value]]
_MEBIBYTE = 1 << 20
_TEXT_LIMIT = 500  # characters of an exception


class Calling:
    """What one call of a submission does with the grader's functions. `events` are kept until the report is written.

    `held_bytes`: what the events take up, about, and what was said in calls that failed.
    """

    def __init__(self, functions: Callbacks, limits: Limits) -> None:
        self._functions, self._limits = functions, limits
        self._calls = 0
        self.events: list[Event] = []
        self.held_bytes = 0

    def answer(self, reader: Reader, tree: list[Node]) -> list[Buffer]:
        """The message that answers a call. Raises Exhausted beyond a limit, WireError for what is no call."""
        self._calls += 1
        if self._calls > self._limits.callbacks:
            raise Exhausted(Status.TIMEOUT, Exceeded(Limit.CALLBACKS, self._limits.callbacks))
        _, name, node = items(tree, 3)
        self._check(reader.held_bytes)  # by its size, before anything is made of it
        args = reader.value(node)
        if text(name) not in self._functions or type(args) is not tuple:
            raise WireError("not a callback")
        self._spend(reader.held_bytes)
        return self._returned(name, args)

    def _returned(self, name: str, args: tuple[Value, ...]) -> list[Buffer]:
        writer = Writer()
        try:
            returned = self._functions[name](*args)
            answer = ["answer", writer.node(returned)]
        except Exception as error:  # wrong arguments, say: the submission sees it
            writer, answer = Writer(), ["failed", _said(error)]
        else:
            self.events.append(Event(name, args, returned))
        self._check(writer.held_bytes)
        try:
            parts = writer.message(answer)
        except WireError:
            raise self._too_much from None
        self._spend(writer.held_bytes)
        return parts

    def _spend(self, size: int) -> None:
        self._check(size)
        self.held_bytes += size

    def _check(self, size: int) -> None:
        if self.held_bytes + size > self._limits.callback_bytes:
            raise self._too_much

    @property
    def _too_much(self) -> Exhausted:
        most = self._limits.callback_bytes / _MEBIBYTE
        return Exhausted(Status.OUT_OF_MEMORY, Exceeded(Limit.CALLBACK_BYTES, most))


def _said(error: Exception) -> str:
    """An exception in words, if it has any: to write out a value that was handed over can take minutes."""
    words = error.args[0] if len(error.args) == 1 and type(error.args[0]) is str else ""
    return f"{type(error).__name__}: {words[:_TEXT_LIMIT]}"
