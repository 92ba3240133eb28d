"""text.xx.toml: every sentence is there in each language, and carries the same parameters in all of them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from string import Formatter
from typing import Any

from autograder.content.files import Faults, convert, read_toml, tables
from autograder.content.mistakes import FILE as MISTAKES_FILE
from autograder.content.schema import TextTable
from autograder.model import LANGUAGES, Mistake, MistakeText, QuestionText, Text

_FILE = re.compile(r"text\.([a-z]{2})\.toml")

Raw = dict[str, dict[str, Any]]  # language -> its tables as read


def read_texts(faults: Faults) -> tuple[dict[str, Text], Raw]:
    """The languages that must be there, then whichever others are; also as read, for checks of faulty files."""
    found = sorted(match[1] for entry in faults.folder.iterdir() if (match := _FILE.fullmatch(entry.name)))
    raw = {language: read_toml(_file(language), faults) for language in dict.fromkeys([*LANGUAGES, *found])}
    read = {language: table for language, table in raw.items() if table is not None}
    converted = {language: convert(table, TextTable, _file(language), "", faults) for language, table in read.items()}
    return {language: _text(table) for language, table in converted.items() if table}, read


def check_keys(raw: Raw, section: str, names: Iterable[str], faults: Faults) -> None:
    """One sentence for each name and none besides, in every language."""
    wanted = list(dict.fromkeys(names))
    for language, table in raw.items():
        written = tables(table.get(section))
        for name in wanted:
            if name not in written:
                faults.add(_file(language), f"{section}.{name}: sentence is missing")
        for name in written:
            if name not in wanted:
                faults.add(_file(language), f"{section}.{name}: nothing has this name")


def check_messages(raw: Raw, faults: Faults) -> None:
    """What one language has, each has."""
    check_keys(raw, "messages", [id_ for table in raw.values() for id_ in tables(table.get("messages"))], faults)


def check_sentences(raw: Raw, faults: Faults) -> None:
    """No sentence is empty; those that carry parameters carry the same ones as in the first language."""
    first: dict[str, frozenset[str]] = {}
    for language, table in raw.items():
        for key, sentence in _sentences(table):
            if not sentence.strip():
                faults.add(_file(language), f"{key}: is empty")
        for key, sentence in _with_parameters(table):
            names = _parameters(sentence)
            if names is None:
                faults.add(_file(language), f"{key}: its braces do not match")
            elif names != first.setdefault(key, names):
                faults.add(_file(language), f"{key}: carries {_shown(names)}, in another language {_shown(first[key])}")


def check_cases(texts: dict[str, Text], known: Iterable[Mistake], faults: Faults) -> None:
    """Each case of a mistake gives the parameters that its sentence carries."""
    for mistake in known:
        says = [text.mistakes[mistake.id].says for text in texts.values() if mistake.id in text.mistakes]
        carried = frozenset[str]().union(*(_parameters(sentence) or () for sentence in says))
        for number, case in enumerate(mistake.cases, 1):
            place = f", case {number}" if len(mistake.cases) > 1 else ""
            where = f"mistake {mistake.id!r}{place}"
            for name in sorted(carried - case.parameters.keys()):
                faults.add(MISTAKES_FILE, f"{where}: with lacks {name!r}, which its sentence carries")


def _file(language: str) -> str:
    return f"text.{language}.toml"


def _text(table: TextTable) -> Text:
    mistakes = {id_: MistakeText(text.says, text.why, text.hints) for id_, text in table.mistakes.items()}
    questions = {name: QuestionText(text.asks, text.options, text.explains) for name, text in table.questions.items()}
    return Text(table.title, table.functions, table.tests, mistakes, table.messages, questions)


def _sentences(value: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """Every text in a table with its key."""
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, dict):
        for key, part in value.items():
            yield from _sentences(part, f"{path}.{key}" if path else key)
    elif isinstance(value, list):
        for number, part in enumerate(value, 1):
            yield from _sentences(part, f"{path} {number}")


def _with_parameters(table: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Sentences that are filled in: what mistakes say, and messages. Elsewhere a brace is a brace."""
    filled = re.compile(r"mistakes\.[^.]+\.says|messages\..+")
    return ((key, sentence) for key, sentence in _sentences(table) if filled.fullmatch(key))


def _parameters(sentence: str) -> frozenset[str] | None:
    """The names in braces, or None where the braces do not match."""
    try:
        return frozenset(name for _, name, _, _ in Formatter().parse(sentence) if name is not None)
    except ValueError:
        return None


def _shown(names: frozenset[str]) -> str:
    return ", ".join(f"{{{name}}}" for name in sorted(names)) or "no parameter"
