"""assignment.toml: what the learner writes, in teaching order."""

from __future__ import annotations

import keyword
import math
import re
from typing import Any, Literal

import msgspec

from autograder.content.files import Faults, convert, read_text, read_toml, tables
from autograder.content.reference import Reference
from autograder.content.schema import AssignmentTable, PartTable
from autograder.model import FunctionSpec

FILE = "assignment.toml"
TOTAL = 20

_Kind = Literal["function", "class"]
_QUALIFIED = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)+")


class Spec(msgspec.Struct, frozen=True):
    """What could be read. `names` holds faulty functions and classes too, so that one fault does not bring others."""

    version: int
    minutes: int
    functions: tuple[FunctionSpec, ...]
    names: tuple[str, ...]


def read_spec(faults: Faults) -> Spec | None:
    """None where the file cannot be read at all."""
    raw = read_toml(FILE, faults)
    if raw is None:
        return None
    head = convert(raw, AssignmentTable, FILE, "", faults)
    text = read_text(FILE, faults) or ""
    parts = [_part(name, kind, table, faults) for name, kind, table in _in_order(raw, text)]
    specs = tuple(part for part in parts if part)
    names = tuple(name for name, _, _ in _in_order(raw, text))
    _check_names(names, faults)
    _check_needs(specs, names, faults)
    if len(specs) == len(names):
        _check_total(specs, faults)
    return Spec(head.version if head else 0, head.minutes if head else 0, specs, names)


def check_reference(spec: Spec, reference: Reference, faults: Faults) -> None:
    """The reference has each function and class that the learner is to write."""
    defined = reference.definitions()
    for function in spec.functions:
        block = defined.get(function.name)
        if block is None:
            faults.add("solution.py", f"{function.kind} {function.name!r} of {FILE} is missing")
        elif block.kind != function.kind:
            faults.add("solution.py", f"{function.name!r} is a {block.kind}; in {FILE} it is a {function.kind}")


def _in_order(raw: dict[str, Any], text: str) -> list[tuple[str, _Kind, Any]]:
    """Functions and classes in the order of their headers, which TOML's two tables do not keep between them."""
    kinds: tuple[tuple[_Kind, str], ...] = (("function", "functions"), ("class", "classes"))
    parts = [(name, kind, part) for kind, key in kinds for name, part in tables(raw.get(key)).items()]
    headers = re.findall(r"^[ \t]*\[\s*(function|class)(?:e?s)\s*\.\s*[\"']?(\w+)", text, re.MULTILINE)
    places = {(name, kind): place for place, (kind, name) in reversed([*enumerate(headers)])}
    return sorted(parts, key=lambda part: places.get(part[:2], len(places)))


def _part(name: str, kind: _Kind, table: Any, faults: Faults) -> FunctionSpec | None:
    key = f"{'functions' if kind == 'function' else 'classes'}.{name}"
    part = convert(table, PartTable, FILE, f"{key}.", faults)
    if part is None:
        return None
    for library_name in part.off_limits:
        if not _QUALIFIED.fullmatch(library_name):
            faults.add(FILE, f"{key}.off_limits: {library_name!r} is not a qualified name such as 'torch.softmax'")
    return FunctionSpec(name, kind, part.points, part.needs, part.off_limits)


def _check_names(names: tuple[str, ...], faults: Faults) -> None:
    if not names:
        faults.add(FILE, "functions: none is asked for")
    for name in names:
        if not name.isidentifier() or keyword.iskeyword(name):
            faults.add(FILE, f"functions.{name}: is not a Python name")
        if names.count(name) > 1:
            faults.add(FILE, f"classes.{name}: is also a function")


def _check_needs(specs: tuple[FunctionSpec, ...], names: tuple[str, ...], faults: Faults) -> None:
    for spec in specs:
        key = f"{'functions' if spec.kind == 'function' else 'classes'}.{spec.name}.needs"
        earlier = names[: names.index(spec.name)]
        for need in spec.needs:
            if need not in names:
                faults.add(FILE, f"{key}: unknown function {need!r}")
            elif need not in earlier:
                faults.add(FILE, f"{key}: {need!r} does not come earlier")


def _check_total(specs: tuple[FunctionSpec, ...], faults: Faults) -> None:
    total = sum(spec.points for spec in specs)
    if not math.isclose(total, TOTAL):
        faults.add(FILE, f"points: sum to {total:g}, not {TOTAL}")
