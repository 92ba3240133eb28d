"""Exceptions of a submission as plain names and texts, whatever its classes do to resist."""

from __future__ import annotations

import errno
from collections.abc import Iterator, Mapping, Sequence
from types import TracebackType
from typing import Any, cast

import torch

from autograder.calls import Frame, Outcome, Raised, Status

TEXT_LIMIT = 2000
NAME_LIMIT = 100
BASES_LIMIT = 20
FRAMES_AT_EACH_END = 6
TRACEBACK_LIMIT = 20_000  # entries looked at: a deep recursion leaves thousands
_NO_MEMORY = ("can't allocate memory", "cannot allocate memory", "not enough memory", "out of memory")

Sources = Mapping[str, Sequence[str]]
"""The submission's text by file label: only frames of these files are shown."""


def failed(error: BaseException, sources: Sources) -> Outcome:
    """The outcome of a step or cell that ended in `error`."""
    raised = describe(error, sources)
    return Outcome(Status.OUT_OF_MEMORY if _is_out_of_memory(error, raised) else Status.RAISED, raised=raised)


def describe(error: BaseException, sources: Sources) -> Raised:
    """`error` by names, text and the lines of `sources` it passed through. Never raises, whatever `error` is."""
    names = tuple(_class_name(cls) for cls in type.__dict__["__mro__"].__get__(type(error))[:BASES_LIMIT])
    return Raised(names[0], names[1:], safe_text(error), _frames(error, sources))


def clean(text: str) -> str:
    """`text` as an exact `str` that UTF-8 can hold."""
    if str.isascii(text):
        return str.__getitem__(text, slice(None))
    return str.encode(text, "utf-8", "replace").decode("utf-8")


def safe_text(error: BaseException) -> str:
    """The text of an exception, cut to a bound; empty where its `__str__` fails."""
    try:
        return clean(str.__getitem__(str(error), slice(TEXT_LIMIT)))
    except BaseException:  # the submission's own __str__ may raise anything
        return ""


def type_name(value: Any) -> str:
    """The name of a value's class, cut to a bound."""
    return _class_name(type(value))


def _class_name(cls: type) -> str:
    # Read through `type`, so that a metaclass has no say.
    return clean(str.__getitem__(type.__dict__["__name__"].__get__(cls), slice(NAME_LIMIT)))


def _is_out_of_memory(error: BaseException, raised: Raised) -> bool:
    # `issubclass` of the type: `isinstance` would also ask the object, which may answer with an exception.
    if issubclass(type(error), (MemoryError, torch.OutOfMemoryError)):
        return True
    if issubclass(type(error), OSError) and OSError.__dict__["errno"].__get__(error) == errno.ENOMEM:
        return True
    return issubclass(type(error), RuntimeError) and any(sign in raised.message.lower() for sign in _NO_MEMORY)


def _frames(error: BaseException, sources: Sources) -> tuple[Frame, ...]:
    traceback = BaseException.__dict__["__traceback__"].__get__(error)
    found = [_frame(*entry, sources) for entry in _entries(traceback, sources)]
    if type(error) in (SyntaxError, IndentationError, TabError):
        file, line = cast(SyntaxError, error).filename, cast(SyntaxError, error).lineno
        if type(file) is str and type(line) is int and file in sources:
            found.append(_frame(file, line, "<module>", sources))
    if len(found) > 2 * FRAMES_AT_EACH_END:
        found = found[:FRAMES_AT_EACH_END] + found[-FRAMES_AT_EACH_END:]
    return tuple(found)


def _entries(traceback: TracebackType | None, sources: Sources) -> Iterator[tuple[str, int, str]]:
    for _ in range(TRACEBACK_LIMIT):
        if traceback is None:
            return
        code = traceback.tb_frame.f_code
        if code.co_filename in sources:
            yield code.co_filename, traceback.tb_lineno or 0, code.co_name
        traceback = traceback.tb_next


def _frame(file: str, line: int, function: str, sources: Sources) -> Frame:
    lines = sources[file]
    text = lines[line - 1].strip() if 0 < line <= len(lines) else ""
    return Frame(clean(file), line, clean(text[: NAME_LIMIT * 2]), clean(function[:NAME_LIMIT]))
