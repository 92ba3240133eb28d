"""Reading one authored file, with every fault put into a line that names it."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar, get_args, get_origin, get_type_hints

import msgspec

T = TypeVar("T", bound=msgspec.Struct)

_NAMES = {"int": "a whole number", "float": "a number", "str": "text", "bool": "true or false", "array": "a list"}
_NAMES |= {"object": "a table", "null": "nothing"}
_RENAMED = re.compile(r"`([^`]*)`")
_PLACE = re.compile(r" - at `\$.*")


class Faults:
    """What is wrong with one folder, a line each, in the order found."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.lines: list[str] = []

    def add(self, file: str, text: str) -> None:
        """Note a fault of `file`, a path within the folder; `text` begins with the key."""
        line = f"{self.folder.name}/{file}: {text}"
        if line not in self.lines:
            self.lines.append(line)


def read_text(file: str, faults: Faults, *, required: bool = True) -> str | None:
    """The text of a file of the folder, or None (a fault unless it may be missing). Lines end as on Unix."""
    path = faults.folder / file
    if not path.is_file():
        if required:
            faults.add(file, "is missing")
        return None
    content = path.read_bytes()
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        faults.add(file, f"line {line} is not UTF-8")
        return None
    return text.replace("\r\n", "\n").replace("\r", "\n")


def read_toml(file: str, faults: Faults) -> dict[str, Any] | None:
    """The tables of a TOML file of the folder, or None."""
    text = read_text(file, faults)
    if text is None:
        return None
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        faults.add(file, f"is not TOML: {error}")
        return None


def convert(table: Any, kind: type[T], file: str, prefix: str, faults: Faults) -> T | None:
    """The table as a struct, or None. `prefix` stands before its keys, such as "functions.softmax."."""
    try:
        return msgspec.convert(table, kind)
    except msgspec.ValidationError:
        for key, text in _explained(table, kind, ""):
            faults.add(file, f"{prefix}{key}: {text}" if key else f"{prefix.rstrip('.: ')}: {text}")
        return None


def tables(value: Any) -> dict[str, Any]:
    """A table's entries, and none where something else stands in its place (`convert` says so)."""
    return value if isinstance(value, dict) else {}


def _explained(value: Any, kind: Any, path: str) -> Iterator[tuple[str, str]]:
    """Every fault, not only the first; msgspec itself names neither a table's keys nor more than one fault."""
    try:
        msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        found = [*_wrong_keys(value, kind, path)]
        for key, part, part_kind in _parts(value, kind, path):
            found += _explained(part, part_kind, key)
        yield from found or [(path, _reworded(str(error), value, kind))]


def _wrong_keys(value: Any, kind: Any, path: str) -> Iterator[tuple[str, str]]:
    if not _is_struct(kind, value):
        return
    fields = {field.encode_name: field for field in msgspec.structs.fields(kind)}
    yield from ((_joined(path, key), "unknown key") for key in value if key not in fields)
    needed = [key for key, field in fields.items() if field.required]
    yield from ((_joined(path, key), "is missing") for key in needed if key not in value)


def _parts(value: Any, kind: Any, path: str) -> Iterator[tuple[str, Any, Any]]:
    """(path, value, type) of the parts of a table or list whose type says what its parts are. Lists count from 1."""
    kind = get_args(kind)[0] if get_origin(kind) is Annotated else kind
    origin = get_origin(kind)
    if _is_struct(kind, value):
        hints = get_type_hints(kind, include_extras=True)
        for field in msgspec.structs.fields(kind):
            if field.encode_name in value:
                yield _joined(path, field.encode_name), value[field.encode_name], hints[field.name]
    elif origin is dict and isinstance(value, dict):
        yield from ((_joined(path, key), part, get_args(kind)[1]) for key, part in value.items())
    elif origin is tuple and isinstance(value, list):
        yield from ((f"{path} {number}", part, get_args(kind)[0]) for number, part in enumerate(value, 1))


def _is_struct(kind: Any, value: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, msgspec.Struct) and isinstance(value, dict)


def _joined(path: str, key: str) -> str:
    return f"{path}.{key}" if path else key


def _reworded(text: str, value: Any, kind: Any) -> str:
    """Msgspec's sentence in TOML's words."""
    if get_origin(kind) is Literal:
        return f"expected one of {', '.join(map(repr, get_args(kind)))}, got {value!r}"
    text = _PLACE.sub("", text)
    named = _RENAMED.sub(lambda found: " or ".join(_NAMES.get(name, name) for name in found[1].split(" | ")), text)
    return named[:1].lower() + named[1:]
