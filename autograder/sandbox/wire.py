"""Values as nodes of a message's header and bytes of its payload, and back with every node checked."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import msgspec
import numpy as np
import torch

from autograder.calls import Callback, Handle, Helper, Opaque, Value
from autograder.sandbox.nodes import (
    HEADER_LIMIT,
    NESTING_LIMIT,
    PAYLOAD_LIMIT,
    PREFIX,
    VALUE_LIMIT,
    Buffer,
    Node,
    WireError,
    items,
    text,
    whole,
)
from autograder.sandbox.tensors import ARRAY_DTYPES, CLASS_LIMIT, DEPTH_LIMIT, DTYPES, KEY_LIMIT, is_key, with_strides

AXES_LIMIT = 16
ELEMENT_LIMIT = 4 << 20  # of all tensors and arrays of a message: compared as doubles, they take eight bytes each
NUMBER_LIMIT = 254  # hexadecimal digits of a large integer: the grader must be able to write it and make it a float
DEVICES = frozenset({"cpu", "cuda", "mps", "xpu"})

_HELD = 32  # bytes that a byte of a header may come to, as an object: a string of two letters, a tensor of no number
_DOUBLE = 8
_PART = 256  # bytes that any value, be it a single digit, may come to as a part that is compared
_ALIGNMENT = 16  # bytes: buffers are read in place
_NAMES = {dtype: name for name, dtype in DTYPES.items()}
_ALL_DTYPES = {str(value)[6:]: value for value in vars(torch).values() if isinstance(value, torch.dtype)}
_encoder = msgspec.msgpack.Encoder()


def _held(header: int, payload: int, elements: int, values: int) -> int:
    """Bytes: numbers count as the doubles as which they are compared, too."""
    return max(_HELD * header, _PART * values) + payload + _DOUBLE * elements


class Writer:
    """Collects the buffers of one message while its tree is built."""

    def __init__(self) -> None:
        self.buffers: list[Buffer] = []
        self.size = self.elements = self.values = self.header_bytes = 0

    @property
    def held_bytes(self) -> int:
        """What the values take up while they are kept, about."""
        return _held(self.header_bytes, self.size, self.elements, self.values)

    def node(self, value: Value, depth: int = 0) -> Node:
        """The node of a plain value. Raises WireError for anything else."""
        self.values += 1
        cls = type(value)
        if value is None or cls is bool or cls is float or cls is str:
            return value
        if cls is int:
            return value if -(2**63) <= value < 2**63 else _write_integer(value)
        write = _WRITERS.get(cls)
        if write is None or depth > DEPTH_LIMIT + 1:
            raise WireError(f"cannot send a {cls.__name__}")
        return write(self, value, depth)

    def bytes_of(self, flat: np.ndarray[Any, Any]) -> list[int]:
        """Add a one-dimensional array of bytes; its offset and length."""
        offset = self.size
        self.buffers.append(flat.data)
        self.size += flat.nbytes + -flat.nbytes % _ALIGNMENT
        return [offset, flat.nbytes]

    def message(self, tree: Node) -> list[Buffer]:
        """The parts of the finished message, to be sent one after the other."""
        try:
            header = _encoder.encode(tree)
        except (TypeError, ValueError, OverflowError, RecursionError) as error:
            raise WireError(str(error)) from None
        if len(header) > HEADER_LIMIT or self.size > PAYLOAD_LIMIT:
            raise WireError(f"too large to send: {len(header)} and {self.size} bytes")
        self.header_bytes = len(header)
        parts = [memoryview(PREFIX.pack(len(header), self.size) + header)]
        for buffer in self.buffers:
            parts += [buffer, memoryview(bytes(-buffer.nbytes % _ALIGNMENT))]
        return [part for part in parts if part.nbytes]


def _write_integer(value: int) -> Node:
    if value.bit_length() > 4 * NUMBER_LIMIT - 16:
        raise WireError("an integer too large to send")
    return ["I", hex(value)]


def _write_tensor(writer: Writer, value: torch.Tensor, depth: int) -> Node:
    value = value.detach()
    strides = None if value.is_contiguous() else [int(stride) for stride in value.stride()]
    if value.dtype not in _NAMES or value.layout is not torch.strided or value.device.type not in DEVICES:
        raise WireError(f"cannot send a tensor of {value.dtype} on {value.device}")
    writer.elements += value.numel()
    data = value.cpu().resolve_conj().resolve_neg().contiguous()
    # By its strides, since a contiguous tensor of one element may have any, and a view as bytes wants 1.
    flat = data.as_strided((data.numel(),), (1,)).view(torch.uint8).numpy() if data.numel() else np.empty(0, np.uint8)
    return ["T", _NAMES[value.dtype], list(value.shape), strides, *writer.bytes_of(flat), value.device.type]


def _write_array(writer: Writer, value: np.ndarray[Any, Any], depth: int) -> Node:
    if value.dtype.name not in ARRAY_DTYPES:
        raise WireError(f"cannot send an array of {value.dtype}")
    writer.elements += value.size
    native = np.ascontiguousarray(value, dtype=value.dtype.newbyteorder("="))
    strides = None if value.flags.c_contiguous else list(value.strides)
    return ["N", value.dtype.name, list(value.shape), strides, *writer.bytes_of(native.reshape(-1).view(np.uint8))]


def _write_items(tag: str) -> Callable[[Writer, Sequence[Value], int], Node]:
    return lambda writer, value, depth: [tag, [writer.node(item, depth + 1) for item in value]]


def _write_dict(writer: Writer, value: dict[Any, Value], depth: int) -> Node:
    if not all(is_key(key) for key in value):
        raise WireError("cannot send a dict with such keys")
    return ["D", [[writer.node(key, depth + 1), writer.node(item, depth + 1)] for key, item in value.items()]]


_WRITERS: dict[type, Callable[[Writer, Any, int], Node]] = {
    torch.Tensor: _write_tensor,
    torch.nn.Parameter: _write_tensor,
    np.ndarray: _write_array,
    list: _write_items("L"),
    tuple: _write_items("P"),
    dict: _write_dict,
    complex: lambda _, value, __: ["C", value.real, value.imag],
    torch.dtype: lambda _, value, __: ["Y", str(value)[6:]],
    torch.device: lambda _, value, __: ["V", value.type, value.index],
    Handle: lambda _, value, __: ["H", value.number],
    Helper: lambda _, value, __: ["E", value.name],
    Callback: lambda _, value, __: ["K", value.name],
    Opaque: lambda _, value, __: ["O", value.type_name],
}


class Reader:
    """Reads a tree against its payload. `place`: put tensors on their device; `any_layout`: arrays may have strides."""

    def __init__(self, payload: Buffer, *, place: bool = False, any_layout: bool = True, header_bytes: int = 0) -> None:
        self.payload, self.place, self.any_layout, self.header_bytes = payload, place, any_layout, header_bytes
        self.values = self.tensors = self.elements = self.keys = 0  # met so far

    @property
    def held_bytes(self) -> int:
        """What the values met so far take up while they are kept, about, with the whole of the message."""
        return _held(self.header_bytes, len(self.payload), self.elements, self.values)

    def value(self, node: Node, depth: int = 0) -> Value:
        """The value of a node. Raises WireError where it is none."""
        self.values += 1
        if depth > NESTING_LIMIT or self.values > VALUE_LIMIT:
            raise WireError("too many values")
        cls = type(node)
        if node is None or cls is bool or cls is float or cls is str or cls is int:
            return node
        if cls is not list or not node or type(node[0]) is not str or node[0] not in _READERS:
            raise WireError("not a node")
        read, length = _READERS[node[0]]
        if len(node) != length:
            raise WireError("a node of the wrong length")
        return read(self, node, depth)

    def slice(self, offset: Node, size: Node, count: int, itemsize: int) -> Buffer:
        """The bytes of a buffer, checked against the size its shape asks for. Several nodes may share one."""
        self.elements += count
        if self.elements > ELEMENT_LIMIT:
            raise WireError("too many elements")
        if whole(offset) + whole(size) > len(self.payload) or size != count * itemsize or offset % _ALIGNMENT:
            raise WireError("a buffer that does not fit")
        return self.payload[offset : offset + size]


def _shape(node: Node) -> tuple[list[int], int]:
    sizes = [whole(size) for size in items(node)]
    if len(sizes) > AXES_LIMIT or math.prod(size or 1 for size in sizes) > PAYLOAD_LIMIT:  # strides are made of them
        raise WireError("not a shape")
    return sizes, math.prod(sizes)


def _read_tensor(reader: Reader, node: Node, depth: int) -> torch.Tensor:
    _, name, shape, strides, offset, size, device = node
    dtype = DTYPES.get(text(name))
    if dtype is None or text(device) not in DEVICES:
        raise WireError("not a tensor")
    sizes, count = _shape(shape)
    buffer = reader.slice(offset, size, count, dtype.itemsize)
    reader.tensors += 1
    if not count:
        flat = torch.empty(0, dtype=dtype)
    elif dtype is torch.bool:  # a byte that is neither 0 nor 1 must not become a bool
        flat = torch.frombuffer(buffer, dtype=torch.uint8).ne(0)
    else:
        flat = torch.frombuffer(buffer, dtype=dtype)
    tensor = flat.reshape(sizes)
    tensor = tensor if strides is None else _strided(tensor, [*map(whole, items(strides, len(sizes)))])
    return tensor.to(device) if reader.place and device != "cpu" else tensor


def _strided(value: Any, strides: list[Node]) -> Any:
    if not all(type(stride) is int for stride in strides):
        raise WireError("not strides")
    try:
        return with_strides(value, strides)
    except ValueError as error:
        raise WireError(str(error)) from None


def _read_array(reader: Reader, node: Node, depth: int) -> np.ndarray[Any, Any]:
    _, name, shape, strides, offset, size = node
    if text(name) not in ARRAY_DTYPES or (strides is not None and not reader.any_layout):
        raise WireError("not an array")
    sizes, count = _shape(shape)
    buffer = reader.slice(offset, size, count, np.dtype(name).itemsize)
    array = np.frombuffer(buffer, np.uint8 if name == "bool" else name).reshape(sizes)
    array = array.astype(bool) if name == "bool" else array  # as for tensors
    return array if strides is None else _strided(array, items(strides, len(sizes)))


def _read_dict(reader: Reader, node: Node, depth: int) -> dict[Any, Value]:
    pairs = [items(pair, 2) for pair in items(node[1])]
    keys = [reader.value(key, depth + 1) for key, _ in pairs]
    reader.keys += sum(type(key) is not str for key in keys)
    if reader.keys > KEY_LIMIT or not all(is_key(key) for key in keys):
        raise WireError("not a key")
    return {key: reader.value(item, depth + 1) for key, (_, item) in zip(keys, pairs, strict=True)}


def _read_integer(reader: Reader, node: Node, depth: int) -> int:
    if len(text(node[1])) > NUMBER_LIMIT:
        raise WireError("not a number")
    try:
        return int(node[1], 16)
    except ValueError as error:
        raise WireError(str(error)) from None


def _read_complex(reader: Reader, node: Node, depth: int) -> complex:
    if type(node[1]) is float and type(node[2]) is float:
        return complex(node[1], node[2])
    raise WireError("not a number")


def _read_dtype(reader: Reader, node: Node, depth: int) -> torch.dtype:
    if text(node[1]) in _ALL_DTYPES:
        return _ALL_DTYPES[node[1]]
    raise WireError("not a dtype")


def _read_device(reader: Reader, node: Node, depth: int) -> torch.device:
    if text(node[1]) not in DEVICES | {"meta"}:
        raise WireError("not a device")
    return torch.device(node[1]) if node[2] is None else torch.device(node[1], whole(node[2]) % 128)


_READERS: dict[str, tuple[Callable[[Reader, Node, int], Value], int]] = {
    "T": (_read_tensor, 7),
    "N": (_read_array, 6),
    "L": (lambda reader, node, depth: [reader.value(item, depth + 1) for item in items(node[1])], 2),
    "P": (lambda reader, node, depth: tuple([reader.value(item, depth + 1) for item in items(node[1])]), 2),
    "D": (_read_dict, 2),
    "I": (_read_integer, 2),
    "C": (_read_complex, 3),
    "Y": (_read_dtype, 2),
    "V": (_read_device, 3),
    "H": (lambda _, node, __: Handle(whole(node[1])), 2),
    "E": (lambda _, node, __: Helper(text(node[1])), 2),
    "K": (lambda _, node, __: Callback(text(node[1])), 2),
    "O": (lambda _, node, __: Opaque(text(node[1])[:CLASS_LIMIT]), 2),
}
