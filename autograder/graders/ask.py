"""What a test writes: `student.f(x)`, `agree.f(x)`, `agree.gradients.f(x)`, `agree.raises(ValueError).f(x)`.

`student` gives what the submission returned, once its type, shape, dtype and device are the reference's. `agree`
compares everything with the reference as well, and goes on after a failure: the calls that follow still tell which
mistake it is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from autograder.calls import Action, Callback, Event, Handle, Helper, Step, Value
from autograder.graders.run import Manner, Run, action_for


@dataclass(frozen=True)
class Asker:
    """Turns attribute calls into steps of a run."""

    run: Run
    manner: Manner

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name.startswith("__"):
            raise AttributeError(name)
        action = action_for(self.run.kit, name)
        return lambda *args, **kwargs: self.ask(Step(action, name, args, kwargs))

    @property
    def gradients(self) -> Asker:
        """The same calls, with the gradient of every floating argument (and parameter) asked for."""
        return self._asked(with_gradients=True)

    @property
    def any_dtype(self) -> Asker:
        """The same calls, judged by their numbers alone: for tests that leave the dtype to another."""
        return self._asked(dtype_matters=False)

    @property
    def effects(self) -> Asker:
        """The same calls, for functions that only change their arguments: what comes back is nobody's concern."""
        return self._asked(result_matters=False)

    @property
    def helper(self) -> Helpers:
        """`helper.name(...)` builds an object of helpers.py where the submission runs."""
        return Helpers(self)

    @property
    def events(self) -> tuple[Event, ...]:
        """Every call of a callback so far, in order."""
        return self.run.events

    def raises(self, error: type[BaseException]) -> Asker:
        """The same calls, of which the reference raises `error`, and so must the submission."""
        return self._asked(judge="agreement", error=error.__name__)

    def _asked(self, **changes: Any) -> Asker:
        return replace(self, manner=replace(self.manner, **changes))

    def ask(self, step: Step) -> Any:
        """Performs a step; an `Object` where it builds one, the submission's value otherwise."""
        step = replace(step, args=_sent(step.args), kwargs=_sent(dict(step.kwargs)))
        if step.into is None and step.action in (Action.CONSTRUCT, Action.HELPER):
            step = replace(step, into=self.run.new_handle())
        elif self.manner.with_gradients:
            step = replace(step, cotangents=self.run.cotangents(step))
        value = self.run.ask(step, self.manner)
        return value if step.into is None else Object(self, step.into)


@dataclass(frozen=True)
class Helpers:
    """Builds objects of the assignment's helpers.py."""

    asker: Asker

    def __getattr__(self, name: str) -> Callable[..., Object]:
        return lambda *args, **kwargs: self.asker.ask(Step(Action.HELPER, name, args, kwargs))


@dataclass(frozen=True)
class Object:
    """An object that lives where the submission runs."""

    asker: Asker
    handle: Handle

    def __call__(self, *args: Value, **kwargs: Value) -> Value:
        """Calls the object."""
        return self._ask(Action.METHOD, "__call__", *args, **kwargs)

    def __getattr__(self, name: str) -> Callable[..., Value]:
        if name.startswith("__"):
            raise AttributeError(name)
        return lambda *args, **kwargs: self._ask(Action.METHOD, name, *args, **kwargs)

    @property
    def gradients(self) -> Object:
        """The same object, with gradients asked for at each call."""
        return replace(self, asker=self.asker.gradients)

    def get(self, name: str) -> Value:
        """An attribute."""
        return self._ask(Action.GET, name)

    def part(self, name: str) -> Object:
        """A method or another attribute that stays where the submission runs: an argument of other calls."""
        return self.asker.ask(Step(Action.GET, name, on=self.handle, into=self.asker.run.new_handle()))  # type: ignore[no-any-return]

    def load(self, tensors: Mapping[str, Value]) -> None:
        """Copies tensors into the module's parameters, by dotted name."""
        without = replace(self.asker, manner=replace(self.asker.manner, with_gradients=False))
        without.ask(Step(Action.LOAD, "load", (dict(tensors),), on=self.handle))

    def state(self) -> Value:
        """The module's parameters and buffers, by dotted name."""
        return self._ask(Action.STATE, "state")

    def _ask(self, action: Action, name: str, *args: Value, **kwargs: Value) -> Value:
        return self.asker.ask(Step(action, name, args, kwargs, on=self.handle))


def _sent(value: Value) -> Value:
    """Arguments as they cross: objects by their handle."""
    if isinstance(value, Object):
        return value.handle
    if isinstance(value, (tuple, list)):
        return type(value)(_sent(part) for part in value)
    if isinstance(value, dict):
        return {key: _sent(part) for key, part in value.items()}
    return value


def callback_argument(run: Run, name: str, factory: Callable[[], Callable[..., Any]]) -> Callback:
    """A function of the grader as an argument; `factory` makes a fresh one for each target that is asked."""
    return callback_arguments(run, lambda: {name: factory()})[name]


def callback_arguments(run: Run, factory: Callable[[], Mapping[str, Callable[..., Any]]]) -> dict[str, Callback]:
    """Functions of the grader that share something, say a clock and the work that moves it, as arguments by name."""
    return {name: Callback(name) for name in run.callbacks(factory)}


def helper_argument(name: str) -> Helper:
    """A function of helpers.py as an argument."""
    return Helper(name)
