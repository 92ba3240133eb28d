"""Executes one step on a submission's namespace and says what it gave, in the child and in this process alike."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import torch

from autograder.calls import Action, Callback, Event, Handle, Helper, Leaf, Outcome, Raised, Status, Step, Value
from autograder.sandbox.errors import Sources, describe, failed
from autograder.sandbox.gradients import pull_back
from autograder.sandbox.tensors import DEPTH_LIMIT, array_copy, changes, copy_of, is_tensor, plain
from autograder.sandbox.watching import watching

EVENTS_LIMIT = 10_000  # a loop may call a clock for as long as its deadline allows
NOT_FUNCTIONS = frozenset({"__builtins__", "display", "get_ipython"})  # in the namespace, but not written by anybody


@dataclass
class Stage:
    """Where steps run: what the submission defined, what helpers.py defined, and the objects kept between steps.

    `interruptible`: a KeyboardInterrupt (a learner presses stop) passes through instead of being the outcome.
    """

    namespace: Mapping[str, Any]
    helpers: Mapping[str, Any]
    sources: Sources = field(default_factory=dict)
    watch: Sequence[str] = ()
    interruptible: bool = False
    objects: dict[int, Any] = field(default_factory=dict)
    callbacks: Mapping[str, Callable[..., Value]] = field(default_factory=dict)

    def begin(self, callbacks: Mapping[str, Callable[..., Value]]) -> None:
        """Start a new program: forget its predecessor's objects."""
        self.objects.clear()
        self.callbacks = callbacks


def perform(stage: Stage, step: Step) -> Outcome:
    """Run `step`. Whatever the submission does short of ending the process, an outcome comes back."""
    call = _Call(stage, step)
    try:
        action = call.prepare()
        _reset(step.seed)
        # NumPy's complaints about numbers would be lines on stderr, or errors where code has asked for that.
        with np.errstate(all="ignore"), watching(stage.watch, stage.sources, call.used):
            result = action()
        outcome = call.returned(result)
    except _Missing as missing:
        outcome = Outcome(Status.MISSING, raised=Raised("LookupError", ("Exception",), str(missing)))
    except BaseException as error:  # the submission may raise SystemExit, GeneratorExit, anything
        if stage.interruptible and issubclass(type(error), KeyboardInterrupt):
            raise
        outcome = failed(error, stage.sources)
    finally:
        _reset(None)
    return replace(outcome, changed=call.changed(), events=tuple(call.events), used=tuple(call.used))


def _reset(seed: int | None) -> None:
    """Undo what code may have left switched, and seed."""
    torch.set_grad_enabled(True)
    torch.set_default_dtype(torch.float32)
    torch.set_default_device(None)
    if seed is None:
        return
    if torch.cuda.is_initialized() or torch.backends.mps.is_available():  # type: ignore[no-untyped-call]
        torch.manual_seed(seed)
    else:  # torch.manual_seed formats a stack trace for every device that is not there yet
        torch.default_generator.manual_seed(seed)


class _Missing(Exception):
    """Nothing of that name."""


class _Call:
    """One step under way: what was handed over, and what was seen."""

    def __init__(self, stage: Stage, step: Step) -> None:
        self.stage, self.step = stage, step
        self.args: tuple[Any, ...] = ()
        self.kwargs: dict[str, Any] = {}
        self.memory: dict[str, int] = {}  # argument -> address of its storage
        self.leaves: dict[str, torch.Tensor] = {}
        self.events: list[Event] = []
        self.used: list[str] = []

    # ---- before

    def prepare(self) -> Callable[[], Any]:
        """Find what is to be called and copy the arguments. Raises `_Missing`."""
        step = self.step
        self.args = tuple(self._hand_over(value, str(index)) for index, value in enumerate(step.args))
        self.kwargs = {name: self._hand_over(value, name) for name, value in step.kwargs.items()}
        match step.action:
            case Action.CALL | Action.CONSTRUCT:
                function = _lookup(self.stage.namespace, step.name)
            case Action.HELPER:
                function = _lookup(self.stage.helpers, step.name)
            case Action.METHOD:
                function = self._method()
            case Action.GET:
                return functools.partial(_attribute, self._on(), step.name)
            case Action.LOAD:
                return functools.partial(_load, self._on(), self.args[0])
            case Action.STATE:
                return functools.partial(_state, self._on())
        return functools.partial(function, *self.args, **self.kwargs)

    def _on(self) -> Any:
        assert self.step.on is not None, f"a step of kind {self.step.action} needs an object"
        target = self._object(self.step.on)
        if self.step.cotangents is not None:
            self._watch_parameters("self", target)
        return target

    def _method(self) -> Callable[..., Any]:
        target = self._on()
        method = target if self.step.name == "__call__" else _attribute(target, self.step.name)
        if not callable(method):
            raise _Missing(self.step.name)
        return method  # type: ignore[no-any-return]

    def _object(self, handle: Handle) -> Any:
        try:
            return self.stage.objects[handle.number]
        except KeyError:
            raise _Missing(f"object {handle.number}") from None

    def _hand_over(self, value: Value, name: str, depth: int = 0) -> Any:
        """`value` as the submission gets it: its own copy, with handles, helpers and callbacks put in place."""
        if is_tensor(value):
            return self._tensor(value, name)
        match value:
            case np.ndarray():
                return array_copy(value)
            case list() | tuple() if depth < DEPTH_LIMIT:
                items = [self._hand_over(item, f"{name}.{index}", depth + 1) for index, item in enumerate(value)]
                return tuple(items) if isinstance(value, tuple) else items
            case dict() if depth < DEPTH_LIMIT:
                return {key: self._hand_over(item, f"{name}.{key}", depth + 1) for key, item in value.items()}
            case Handle():
                kept = self._object(value)
                self._watch_parameters(name, kept)
                return kept
            case Helper():
                return _lookup(self.stage.helpers, value.name)
            case Callback():
                return functools.partial(self._call_back, value.name)
        return value

    def _tensor(self, value: torch.Tensor, name: str) -> torch.Tensor:
        copy = copy_of(value.detach())
        if self.step.cotangents is not None and copy.is_floating_point():
            # What is handed over is no leaf: a leaf refuses changes in place, and those are judged by `changed`.
            self.leaves[name] = copy.requires_grad_()
            copy = copy_of(copy)
        self.memory[name] = copy.untyped_storage().data_ptr()
        return copy

    def _watch_parameters(self, name: str, target: Any) -> None:
        if self.step.cotangents is not None and isinstance(target, torch.nn.Module):
            for path, parameter in torch.nn.Module.named_parameters(target, remove_duplicate=False):
                self.leaves[f"{name}.{path}"] = parameter

    def _call_back(self, name: str, *args: Any) -> Value:
        given = plain(args)[0]
        returned = self.stage.callbacks[name](*given)
        if len(self.events) < EVENTS_LIMIT:
            self.events.append(Event(name, given, returned))
        return returned

    # ---- after

    def returned(self, result: Any) -> Outcome:
        """The outcome of a step that gave `result`."""
        if self.step.into is not None:
            self.stage.objects[self.step.into.number] = result
        value, tensors = plain(result)
        outcome = Outcome(Status.RETURNED, value, tuple(self._leaf(tensor) for tensor in tensors))
        if self.step.cotangents is None:
            return outcome
        try:
            return replace(outcome, grads=pull_back(tensors, self.step.cotangents, self.leaves))
        except BaseException as error:  # a backward pass of the submission's own may raise anything
            if self.stage.interruptible and issubclass(type(error), KeyboardInterrupt):
                raise
            return replace(outcome, grad_error=describe(error, self.stage.sources))

    def _leaf(self, tensor: torch.Tensor) -> Leaf:
        address = tensor.untyped_storage().data_ptr()
        shares = tuple(name for name, used in self.memory.items() if used == address != 0)
        return Leaf(tensor.device.type, tensor.requires_grad, shares)

    def changed(self) -> dict[str, Value]:
        """The arguments that differ from what was handed over."""
        pairs: Iterable[tuple[str, Value, Any]] = [
            *((str(index), *pair) for index, pair in enumerate(zip(self.step.args, self.args, strict=False))),
            *((name, self.step.kwargs[name], value) for name, value in self.kwargs.items()),
        ]
        return {name: value for pair in pairs for name, value in changes(pair[1], pair[2], pair[0])}


def _lookup(namespace: Mapping[str, Any], name: str) -> Callable[..., Any]:
    found = None if name in NOT_FUNCTIONS else namespace.get(name)
    if not callable(found):
        raise _Missing(name)
    return found  # type: ignore[no-any-return]


def _attribute(target: Any, name: str) -> Any:
    try:
        return getattr(target, name)
    except AttributeError:
        if hasattr(type(target), name):  # a property that failed inside
            raise
        raise _Missing(name) from None


def _tensors_of(module: Any) -> dict[str, torch.Tensor]:
    if not isinstance(module, torch.nn.Module):
        raise TypeError(f"{type(module).__name__} is not an nn.Module")
    # One tensor under several names (a layer shared by mistake) is found under each.
    parameters = torch.nn.Module.named_parameters(module, remove_duplicate=False)
    return dict(parameters) | dict(torch.nn.Module.named_buffers(module, remove_duplicate=False))


def _state(module: Any) -> dict[str, torch.Tensor]:
    return _tensors_of(module)


def _load(module: Any, tensors: Mapping[str, torch.Tensor]) -> None:
    held = _tensors_of(module)
    for name, tensor in tensors.items():
        if name not in held:
            raise _Missing(name)
        if held[name].shape != tensor.shape:
            raise ValueError(f"{name} has shape {tuple(held[name].shape)}, not {tuple(tensor.shape)}")
    with torch.no_grad():
        for name, tensor in tensors.items():
            held[name].copy_(tensor)
