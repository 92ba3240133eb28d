"""Every sentence the engine itself says, by id, in each language.

The sentences live in `<language>.toml`. What fills their placeholders often comes from a submission (names, exception
texts, source lines), so each value is cleaned on its way in: no sentence can carry terminal codes or reverse its text.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files
from string import Formatter
from typing import Any

from autograder.messages.clean import clean
from autograder.messages.pages import as_html, as_markdown, inert
from autograder.model import LANGUAGES

__all__ = ["as_html", "as_markdown", "clean", "inert", "parameters_of", "say", "sentences"]

# How notebooks label their cells.
_CELL = re.compile(r"(text after )?cell (\d+)")
_EMPTY: tuple[object, ...] = (None, "", [], ())


@lru_cache
def sentences(language: str) -> Mapping[str, str]:
    """Every sentence of a language by id, with its placeholders. Raises LookupError for a language there is not."""
    if language not in LANGUAGES:
        raise LookupError(f"no language {language!r}; there is: {', '.join(LANGUAGES)}")
    text = files(__package__).joinpath(f"{language}.toml").read_text(encoding="utf-8")
    return {name: str(sentence) for name, sentence in tomllib.loads(text).items()}


def say(id_: str, language: str, /, **with_: Any) -> str:
    """The sentence `id_` with its placeholders filled; its further lines hold numbers to compare.

    A further line is left out where one of its placeholders is absent or empty. Raises LookupError for an unknown id
    and for a first line that lacks a value.
    """
    known = sentences(language)
    if id_ not in known:
        raise LookupError(f"no message {id_!r}")
    if id_ == "values" and with_.get("where") in _EMPTY:
        id_ = "value"  # a single number stands nowhere
    by_limit = f"{id_}-{with_.get('limit')}"  # which limit ended a call
    id_ = by_limit if by_limit in known else id_
    shown = {name: _shown(name, value, language) for name, value in with_.items()}
    first, *further = known[id_].splitlines()
    lacking = [name for name in parameters_of(first) if name not in shown]
    if lacking:
        raise LookupError(f"message {id_!r} needs {', '.join(lacking)}")
    kept = [line for line in further if all(with_.get(name) not in _EMPTY for name in parameters_of(line))]
    return "\n".join(line.format_map(shown) for line in [first, *kept])


def parameters_of(sentence: str) -> tuple[str, ...]:
    """The names of a sentence's placeholders, in order."""
    return tuple(name for _, name, _, _ in Formatter().parse(sentence) if name)


def _shown(name: str, value: Any, language: str) -> str:
    """A value as a reader expects it: a part of the result, an index, a shape, a number to three digits."""
    if name == "path" and isinstance(value, str) and (not value or value.startswith("[")):
        return say("part", language, place=value) if value else say("result", language)
    if name in ("file", "cell"):
        return _cell(str(value), language)
    if name == "how" and str(value).isdigit():
        return say("exit-code", language, number=str(value))
    if name == "where" and isinstance(value, list | tuple):
        return f"[{', '.join(map(str, value))}]"
    if isinstance(value, list | tuple):
        return _listed(value)
    return clean(_number(value) if isinstance(value, float) else str(value))


def _cell(label: str, language: str) -> str:
    """A notebook's cell in the reader's language; a script's name as it is."""
    match = _CELL.fullmatch(label)
    if match is None:
        return clean(label)
    return say("text-cell" if match[1] else "cell", language, number=match[2])


def _listed(value: list[Any] | tuple[Any, ...]) -> str:
    """Integers as a shape, names one after the other."""
    if all(isinstance(part, int) for part in value):
        return str(tuple(value))
    return ", ".join(clean(_number(part) if isinstance(part, float) else str(part)) for part in value)


def _number(value: float) -> str:
    return str(int(value)) if value.is_integer() and abs(value) < 1e6 else f"{value:.3g}"  # noqa: PLR2004
