"""Copies, comparisons and plain forms of what goes into a call and of what comes out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import torch

from autograder.calls import Opaque, Value
from autograder.sandbox.errors import clean, type_name

DEPTH_LIMIT = 12
ITEM_LIMIT = 20_000
STRING_LIMIT = 1_000_000
KEY_LIMIT = 256  # keys that are no strings: hashes of numbers and tuples can be chosen so that all of them collide
KEY_CHARACTERS, KEY_PARTS = 100, 16  # of one key: it stands in the path to everything below it
CLASS_LIMIT = 100  # characters of a class name
STRIDE_SLACK = 8  # a strided value may lie in so many times the memory of its elements
DTYPES = {
    name: getattr(torch, name)
    for name in "float64 float32 float16 bfloat16 int64 int32 int16 int8 uint8 bool complex64 complex128".split()
}
ARRAY_DTYPES = frozenset(name for name in DTYPES if name != "bfloat16") | {"uint16", "uint32", "uint64"}
_SENDABLE = frozenset(DTYPES.values())
_SAME_SIZE = {1: torch.uint8, 2: torch.int16, 4: torch.int32, 8: torch.int64}
_Sizes = Sequence[int]


def is_tensor(value: object) -> bool:
    """Whether `value` is a tensor itself: subclasses may answer anything, so they do not count."""
    return type(value) is torch.Tensor or type(value) is torch.nn.Parameter


def copy_with_strides(source: torch.Tensor, strides: _Sizes) -> torch.Tensor:
    """A copy of `source` in fresh memory laid out by `strides` (in elements; 0 where an axis is expanded).

    Autograd follows it. Raises ValueError for strides that reach too far for the number of elements, and for strides
    under which two elements would lie in the same place.
    """
    shape = tuple(source.shape)
    if sum((size - 1) * stride for size, stride in zip(shape, strides, strict=True)) > _reach(source.numel()):
        raise ValueError("strides that reach too far")
    held = tuple(1 if stride == 0 else size for size, stride in zip(shape, strides, strict=True))
    if not _is_apart(held, strides):
        raise ValueError("elements overlap")
    index = tuple(slice(0, size) for size in held)
    target = torch.empty_strided(held, tuple(strides), dtype=source.dtype, device=source.device)
    return target.copy_(source[index]).expand(shape) if held != shape else target.copy_(source)


def _reach(count: int) -> int:
    """How far apart the elements of a strided value may lie."""
    return STRIDE_SLACK * (count + 128)


def _is_apart(shape: _Sizes, strides: _Sizes) -> bool:
    end = 1
    for stride, size in sorted((stride, size) for size, stride in zip(shape, strides, strict=True) if size > 1):
        if stride < end:
            return False
        end = stride * (size - 1) + end
    return True


def array_with_strides(source: np.ndarray[Any, Any], strides: _Sizes) -> np.ndarray[Any, Any]:
    """A copy of `source` in fresh memory laid out by `strides` (in bytes, backwards where negative).

    Raises ValueError for strides that reach too far for the number of elements.
    """
    ways = [max(size - 1, 0) * stride for size, stride in zip(source.shape, strides, strict=True)]
    before, after = -sum(way for way in ways if way < 0), sum(way for way in ways if way > 0)
    if before + after > _reach(source.size) * source.itemsize:
        raise ValueError("strides that reach too far")
    memory = np.zeros(before + after + source.itemsize, np.uint8)
    used = [stride if size > 1 else 0 for size, stride in zip(source.shape, strides, strict=True)]
    target = np.ndarray(source.shape, source.dtype, memory, before, used)
    target[...] = source
    return target


def with_strides(source: Any, strides: _Sizes) -> Any:
    """A copy of a tensor or array laid out by `strides`, each in its own units. Raises ValueError."""
    return (array_with_strides if isinstance(source, np.ndarray) else copy_with_strides)(source, strides)


def array_copy(source: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """A copy in fresh memory with the same strides where that is possible, contiguous otherwise."""
    if source.flags.c_contiguous:
        return source.copy()
    try:
        return array_with_strides(source, source.strides)
    except ValueError:
        return source.copy()


def copy_of(source: torch.Tensor) -> torch.Tensor:
    """A copy in fresh memory with the same strides where that is possible, contiguous otherwise."""
    if source.is_contiguous():
        return source.clone()
    try:
        return copy_with_strides(source, source.stride())
    except ValueError:
        return source.clone(memory_format=torch.contiguous_format)


def on_cpu(tensor: torch.Tensor) -> torch.Tensor:
    """A detached, contiguous copy in main memory: a later change in place does not reach it."""
    copy = tensor.detach().to("cpu", copy=True, memory_format=torch.contiguous_format)
    return copy.resolve_conj().resolve_neg() if copy.is_complex() or copy.is_neg() else copy


def same_bits(a: torch.Tensor, b: torch.Tensor) -> bool:
    """Whether two tensors hold the same bits, so that NaN equals itself and 0.0 differs from -0.0."""
    if a.shape != b.shape or a.dtype != b.dtype or a.device != b.device or a.layout != b.layout:
        return False
    a, b = a.detach(), b.detach()
    if a.is_complex():
        a, b = torch.view_as_real(a.resolve_conj()), torch.view_as_real(b.resolve_conj())
    integers = _SAME_SIZE[a.dtype.itemsize]
    return torch.equal(a.resolve_neg().view(integers), b.resolve_neg().view(integers))


def plain(value: Any) -> tuple[Value, list[torch.Tensor]]:
    """`value` as plain data, and the tensors met in it, in order, as the submission gave them.

    Tensors become copies on the CPU, NumPy scalars become Python numbers, subclasses of containers their base class;
    all that is no plain value (tensor subclasses, generators, modules) becomes `Opaque`.
    """
    walk = _Plain()
    return walk(value, 0), walk.tensors


class _Plain:
    def __init__(self) -> None:
        self.tensors: list[torch.Tensor] = []
        self.items = self.keys = 0

    def __call__(self, value: Any, depth: int) -> Value:
        cls = type(value)
        if value is None or cls in (bool, int, float, complex, torch.dtype, torch.device, Opaque):
            return value
        if is_tensor(value):
            return self._tensor(value)
        # `issubclass` of the type throughout: `isinstance` also asks the object, which may answer with an exception.
        if issubclass(cls, np.generic):
            return _number(value)
        if cls is np.ndarray:
            return _array(value) if value.dtype.name in ARRAY_DTYPES else Opaque(type_name(value))
        return self._container(value, depth) if issubclass(cls, (tuple, list, dict)) else _scalar(value)

    def _tensor(self, value: torch.Tensor) -> Value:
        if value.layout is not torch.strided or value.dtype not in _SENDABLE or value.device.type == "meta":
            return Opaque(type_name(value))
        self.tensors.append(value)
        return on_cpu(value)

    def _container(self, value: Any, depth: int) -> Value:
        # Through the base class, so that an overridden __len__ or __iter__ has no say.
        base: Any = next(base for base in (tuple, list, dict) if issubclass(type(value), base))
        self.items += 1 + base.__len__(value)
        if depth >= DEPTH_LIMIT or self.items > ITEM_LIMIT:
            return Opaque(type_name(value))
        if base is not dict:
            return base(self(item, depth + 1) for item in base.__iter__(value))
        items = list(dict.items(value))
        self.keys += sum(type(key) is not str for key, _ in items)
        if self.keys > KEY_LIMIT or not all(is_key(key) for key, _ in items):
            return Opaque(type_name(value))
        return {clean(key) if type(key) is str else key: self(item, depth + 1) for key, item in items}


def _array(value: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """A contiguous copy in the machine's own byte order: what compares results reads no other."""
    return np.array(value, dtype=value.dtype.newbyteorder("="), order="C")


def is_key(key: object) -> bool:
    """Whether `key` may stand as a key of a plain dict."""
    waiting, seen, characters = [key], 0, 0
    while waiting:
        part = waiting.pop()
        if type(part) is tuple:
            seen += len(part)
            if seen > KEY_PARTS:
                return False
            waiting += part
        elif type(part) is str:
            characters += len(part)
        elif part is not None and type(part) not in (bool, int, float):
            return False
    return characters <= KEY_CHARACTERS


def _number(value: np.generic) -> Value:
    number = value.item()
    return clean(number) if type(number) is str else number if type(number) in _NUMBERS else Opaque(type_name(value))


_NUMBERS = (bool, int, float, complex)


def _scalar(value: Any) -> Value:
    cls = type(value)
    if issubclass(cls, str):
        return clean(value) if str.__len__(value) <= STRING_LIMIT else Opaque(type_name(value))
    if issubclass(cls, int):
        return int.__pos__(value)
    if issubclass(cls, float):
        return float.__pos__(value)
    return Opaque(type_name(value))


def changes(before: Value, after: Any, name: str) -> Iterator[tuple[str, Value]]:
    """What differs in an argument after the call: (its name, its new value), innermost places first."""
    if is_tensor(before):
        if not is_tensor(after) or not same_bits(before, after):
            yield name, plain(after)[0]
    elif isinstance(before, np.ndarray):
        same = type(after) is np.ndarray and before.shape == after.shape and before.dtype == after.dtype
        if not same or before.tobytes() != after.tobytes():
            yield name, plain(after)[0]
    elif isinstance(before, (list, tuple)):
        yield from _sequence_changes(before, after, name)
    elif isinstance(before, Mapping):
        yield from _mapping_changes(before, after, name)


def _sequence_changes(before: Sequence[Value], after: Any, name: str) -> Iterator[tuple[str, Value]]:
    if len(before) != len(after) or any(_differs(a, b) for a, b in zip(before, after, strict=True)):
        yield name, plain(after)[0]
        return
    for index, (a, b) in enumerate(zip(before, after, strict=True)):
        yield from changes(a, b, f"{name}.{index}")


def _mapping_changes(before: Mapping[Any, Value], after: Any, name: str) -> Iterator[tuple[str, Value]]:
    if list(before) != list(after) or any(_differs(before[key], after[key]) for key in before):
        yield name, plain(after)[0]
        return
    for key in before:
        yield from changes(before[key], after[key], f"{name}.{key}")


def _differs(a: Value, b: Any) -> bool:
    """Whether an item of a container was exchanged; contents of tensors and containers are looked at elsewhere."""
    if type(a) in (bool, int, float, str, complex):
        return type(a) is not type(b) or (a is not b and a != b)  # NaN stays the same object
    return isinstance(a, (list, tuple, dict, np.ndarray, torch.Tensor)) and type(a) is not type(b)
