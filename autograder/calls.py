"""What is asked of a submission and what comes back: steps, programs, outcomes.

A grader's test is a short *program* of typed steps (call, construct, read, load, ...). Every target answers the same
steps: the submission in its sandbox, the reference, each known mistake. These types cross the sandbox's wall, so they
hold plain data only, and this module imports nothing but the standard library.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

Value = Any
"""Tensors, arrays, numbers, strings, containers, None, dtypes, devices; as arguments also the three types below."""


@dataclass(frozen=True, slots=True)
class Handle:
    """An object that lives where the submission runs; numbered within one program."""

    number: int


@dataclass(frozen=True, slots=True)
class Helper:
    """A function or class of the assignment's `helpers.py`, which runs beside the submission."""

    name: str


@dataclass(frozen=True, slots=True)
class Callback:
    """A function that lives in the grader, say a clock: the submission may call it, and each call is recorded."""

    name: str


@dataclass(frozen=True, slots=True)
class Opaque:
    """A result that is no plain value: all that crosses is its type's name."""

    type_name: str


class Action(StrEnum):
    """What a step does."""

    CALL = "call"  # a function of the submission
    CONSTRUCT = "construct"  # a class of the submission (or a helper): the object stays there under `into`
    HELPER = "helper"  # a function of helpers.py; with `into`, its result stays there
    METHOD = "method"  # a method of the object `on`; the name "__call__" calls the object itself
    GET = "get"  # an attribute of the object `on`
    LOAD = "load"  # copy the tensors of args[0] (a dict, dotted names) into the parameters of the module `on`
    STATE = "state"  # the parameters and buffers of the module `on`, as a dict


@dataclass(frozen=True, slots=True)
class Step:
    """One thing asked of a target.

    `cotangents` holds one tensor (or None) for each tensor of the result, in order: the target then also returns the
    gradient of sum(result * cotangent) for every floating tensor argument and every parameter of the modules involved.
    `seed` is set in torch's generator before the step.
    """

    action: Action
    name: str
    args: tuple[Value, ...] = ()
    kwargs: Mapping[str, Value] = field(default_factory=dict)
    on: Handle | None = None
    into: Handle | None = None
    cotangents: tuple[Value, ...] | None = None
    seed: int = 0


class Status(StrEnum):
    """How a step ended."""

    RETURNED = "returned"
    RAISED = "raised"
    MISSING = "missing"  # no function, class, attribute or parameter of that name
    TIMEOUT = "timeout"
    CRASHED = "crashed"  # the process ended
    OUT_OF_MEMORY = "out-of-memory"
    TAMPERED = "tampered"  # the answer was not one that our worker gives


class Limit(StrEnum):
    """What a submission has used up when a limit ends a step."""

    CALL = "call"  # time by the clock: of one call, or of loading
    TEST = "test"  # of all calls of one test
    TOTAL = "total"  # of all tests
    AGAIN = "again"  # calls of one function that did not end
    CALL_CPU = "call-cpu"  # processor time, in the same three steps
    TEST_CPU = "test-cpu"
    TOTAL_CPU = "total-cpu"
    CLAIM = "claim"  # the memory in which a task says that it can be done
    ANSWER = "answer"  # the size of what one call gives
    ANSWERS = "answers"  # of what all calls give
    CALLBACKS = "callbacks"  # how often one call calls the grader's functions
    CALLBACK_BYTES = "callback-bytes"  # the size of what it hands them, and gets from them
    FILES = "files"  # their number
    FILE_BYTES = "file-bytes"  # their size together
    DISK = "disk"  # its free space
    # Those that the submission is told of by an exception, and which end nothing:
    THREADS = "threads"
    OPEN_FILES = "open-files"
    FILE_SIZE = "file-size"
    REFUSED = "refused"  # what it may not do at all: processes, programs, the network, other files


TOO_LARGE = "AnswerTooLarge"  # what stands as an exception's name where an answer is too large to send


@dataclass(frozen=True, slots=True)
class Exceeded:
    """The limit that a step ran into, and where it lies: in seconds, in MiB, or a number, if that says anything."""

    limit: Limit
    most: float | None = None


@dataclass(frozen=True, slots=True)
class Frame:
    """One line of the submission's own code in a traceback."""

    file: str
    line: int
    text: str
    function: str


@dataclass(frozen=True, slots=True)
class Raised:
    """An exception by names: class, base classes and text, with the submission's own lines (outermost first)."""

    type_name: str
    bases: tuple[str, ...]
    message: str
    frames: tuple[Frame, ...] = ()


@dataclass(frozen=True, slots=True)
class Leaf:
    """What a tensor of the result is besides its numbers. `shares` names the arguments whose memory it shares."""

    device: str
    requires_grad: bool
    shares: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Event:
    """One call of a callback, in order."""

    name: str
    args: tuple[Value, ...]
    returned: Value


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a step gave. `leaves`, `changed` and `used` are what the child says of itself: advice, and no evidence.

    Arguments are named by position or keyword with their place inside containers: "0", "mask", "1.0"; parameters of a
    module argument as "0.weight", those of the object a method is called on as "self.W_Q.weight".
    """

    status: Status
    value: Value = None
    leaves: tuple[Leaf, ...] = ()  # one for each tensor of the value, in order
    grads: Mapping[str, Value] | None = None  # argument or parameter -> tensor; None where no gradient arrived
    grad_error: Raised | None = None  # the backward pass raised
    changed: Mapping[str, Value] = field(
        default_factory=dict
    )  # arguments that differ after the call -> their new value
    raised: Raised | None = None
    events: tuple[Event, ...] = ()
    used: tuple[str, ...] = ()  # watched library functions that ran, by qualified name
    exceeded: Exceeded | None = None  # the limit that the step ran into, as whoever waits sees it
