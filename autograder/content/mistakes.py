"""mistakes.toml: the known mistakes as edits of the reference."""

from __future__ import annotations

import re
from typing import Any

import msgspec

from autograder.content.edits import cases_of
from autograder.content.files import Faults, convert, read_toml
from autograder.content.reference import Reference
from autograder.content.schema import MistakeTable
from autograder.model import Mistake

FILE = "mistakes.toml"

_ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


class Mistakes(msgspec.Struct, frozen=True):
    """What could be read. `ids` holds faulty ones too; None where the file cannot be read at all."""

    known: tuple[Mistake, ...] = ()
    ids: tuple[str, ...] | None = None


def read_mistakes(reference: Reference | None, faults: Faults) -> Mistakes:
    """Edits are located only where there is a reference to locate them in."""
    raw = read_toml(FILE, faults)
    if raw is None:
        return Mistakes()
    for key in raw.keys() - {"mistake"}:
        faults.add(FILE, f"{key}: unknown key")
    tables = _listed(raw.get("mistake", []), faults)
    known = [_mistake(table, number, reference, faults) for number, table in enumerate(tables, 1)]
    ids = tuple(id_ for table in tables if (id_ := _id(table)) is not None)
    _check_ids(ids, faults)
    found = tuple(mistake for mistake in known if mistake)
    _check_looks_like(found, ids, faults)
    return Mistakes(found, ids)


def _listed(tables: Any, faults: Faults) -> list[Any]:
    if isinstance(tables, list):
        return tables
    faults.add(FILE, "mistake: write each as [[mistake]]")
    return []


def _id(table: Any) -> str | None:
    id_ = table.get("id") if isinstance(table, dict) else None
    return id_ if isinstance(id_, str) else None


def _mistake(table: Any, number: int, reference: Reference | None, faults: Faults) -> Mistake | None:
    """A table without an id is named by its place in the file."""
    id_ = _id(table)
    made = convert(table, MistakeTable, FILE, f"mistake {number if id_ is None else repr(id_)}: ", faults)
    if made is None or reference is None:
        return None
    cases = cases_of(made, reference, lambda fault: faults.add(FILE, fault))
    return Mistake(made.id, cases, made.frequency, made.source, made.looks_like, made.retired)


def _check_ids(ids: tuple[str, ...], faults: Faults) -> None:
    for id_ in dict.fromkeys(ids):
        if ids.count(id_) > 1:
            faults.add(FILE, f"mistake {id_!r}: stands {ids.count(id_)} times")
        if not _ID.fullmatch(id_):
            faults.add(FILE, f"mistake {id_!r}: an id is made of small letters, digits and single hyphens")


def _check_looks_like(known: tuple[Mistake, ...], ids: tuple[str, ...], faults: Faults) -> None:
    for mistake in known:
        for other, reason in mistake.looks_like.items():
            key = f"mistake {mistake.id!r}: looks_like"
            if other not in ids:
                faults.add(FILE, f"{key}: unknown mistake {other!r}")
            elif other == mistake.id:
                faults.add(FILE, f"{key}: names itself")
            elif not reason.strip():
                faults.add(FILE, f"{key}.{other}: says no reason")
