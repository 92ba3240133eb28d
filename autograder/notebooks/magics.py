"""IPython's own lines (`%magic`, `!shell`, `help?`) made harmless: each line stays where it is, at its indentation."""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterator

import msgspec

_KEEPS_ITS_BODY = frozenset({"time", "capture", "prun"})
_LONGEST_NAME = 40  # characters of a magic's name, which a note repeats

_CELL_MAGIC = re.compile(r"%%\s*(\S*)")
_TIMED = re.compile(r"%time\s+(.*)")
_LINE = re.compile(r"[%!?]|(?:pip3?|conda|mamba)\s+(?:install|uninstall|list|show)\b")
_HELP = re.compile(r"(?:[\w.]+\s*=\s*)?%{0,2}[\w.*\[\]]+\?{1,2}\s*;?")
_ASSIGNED = re.compile(r"([^=!%#'\"]+=\s*)([!%])(?!=)(.*)")
_TOKEN = re.compile(r"""(?P<skip>\\.)|(?P<quote>'''|\"""|'|")|(?P<open>[(\[{])|(?P<close>[)\]}])|(?P<comment>\#)""")


class Cleaned(msgspec.Struct, frozen=True):
    """A cell's source as Python; `dropped` is the cell magic that took its body with it, such as "bash"."""

    source: str
    dropped: str | None = None


def clean(source: str) -> Cleaned:
    """The source with IPython's lines made harmless. What is Python already is returned as it is."""
    if parses(source):
        return Cleaned(source)
    lines = source.split("\n")
    for number, line in enumerate(lines):
        magic = _CELL_MAGIC.match(line)
        if line.strip() and not magic:
            break
        if magic and magic[1] not in _KEEPS_ITS_BODY:
            return Cleaned("", magic[1][:_LONGEST_NAME] or "%%")
        lines[number] = ""
    body = "\n".join(lines)
    return Cleaned(body if body != source and parses(body) else "\n".join(_harmless(lines)))


def parses(source: str) -> bool:
    """Whether it is Python. Code too deep for Python's parser is none."""
    try:
        check(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def check(source: str) -> None:
    """Raises what Python's parser raises. Its warnings, say of an unknown escape, are no faults."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        ast.parse(source)


def _harmless(lines: list[str]) -> Iterator[str]:
    """Only where a statement begins: inside brackets and strings, and after a backslash, `%` is an operator or text."""
    state = _State()
    continued = False  # a magic that goes on in the next line
    for line in lines:
        code = line.lstrip()
        blank, indent = not code.strip(), line[: len(line) - len(code)]
        instead = None if blank or not state.at_start else _python_for(code)
        if continued or instead is not None:
            yield "" if continued else indent + (instead or "pass")
            continued = line.rstrip().endswith("\\")
        else:
            yield line
            state = state.after(line)


def _python_for(code: str) -> str | None:
    """What stands in place of an IPython line, or None for a line that is Python's affair."""
    if timed := _TIMED.match(code):
        return timed[1] if parses(timed[1]) else "pass"
    if _LINE.match(code) or _HELP.fullmatch(code.rstrip()):
        return "pass"
    if assigned := _ASSIGNED.match(code):
        value = _TIMED.match(assigned[2] + assigned[3])
        kept = value[1] if value and parses(assigned[1] + value[1]) else "[]" if assigned[2] == "!" else "None"
        return assigned[1] + kept if parses(assigned[1] + kept) else None
    return None


class _State(msgspec.Struct, frozen=True):
    """Where a line begins: inside a string that `quote` will end, inside `depth` brackets, after a backslash."""

    quote: str = ""
    depth: int = 0
    joined: bool = False

    @property
    def at_start(self) -> bool:
        """Whether a statement begins here."""
        return not (self.quote or self.depth or self.joined)

    def after(self, line: str) -> _State:
        """The state at the next line's beginning. A string in single quotes ends with its line."""
        quote, depth = self.quote, self.depth
        for token in _TOKEN.finditer(line):
            if quote:
                quote = "" if (token["quote"] or "").startswith(quote) else quote
            elif token["comment"]:
                return _State("", depth)
            elif token["quote"]:
                quote = token["quote"]
            else:
                depth = max(0, depth + bool(token["open"]) - bool(token["close"]))
        joined = line.endswith("\\")
        return _State(quote if len(quote) > 1 or joined else "", depth, joined)
