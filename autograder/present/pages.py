"""What a learner looks up in a terminal: the next hint, a mistake's page, progress."""

from __future__ import annotations

from collections.abc import Mapping

from rich.cells import cell_len
from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from autograder.messages import clean, say
from autograder.model import Finding, NamedMistake, ShownCall
from autograder.present.words import Words

_STYLES = {"passed": "green", "failed": "bold red", "unwritten": "dim", "unknown": "dim"}


def show_hint(console: Console, finding: Finding, number: int, words: Words) -> int:
    """The finding and that hint of it, or the last one; which one it was."""
    for line in words.finding(finding):
        console.print(Text(line, "bold"))
    hints = words.hints(finding)
    if not hints:
        console.print(Text(say("hint-none", words.language)))
        return 0
    number = min(number, len(hints))
    head = say("hint-number", words.language, number=number, total=len(hints))
    console.print(Text(f"{head}: {hints[number - 1]}", "yellow"))
    if number == len(hints):
        last = say("hint-last", words.language, id=(*finding.mistakes, *finding.one_of)[0].id)
        console.print(Text(last, "dim"), soft_wrap=True)
    return number


def show_mistake(console: Console, id_: str, shown: ShownCall | None, words: Words) -> None:
    """What it does, why people make it, an example, its hints."""
    language = words.language
    mistake = next(one for one in words.assignment.mistakes if one.id == id_)
    parameters = dict(mistake.cases[0].parameters) if mistake.cases else {}
    text = words.text.mistakes[id_]
    console.print(Text(id_, "dim"))
    console.print(Text(words.mistake(NamedMistake(id_, parameters)), "bold"))
    _section(console, say("explain-why", language), " ".join(text.why.split()))
    if shown is not None:
        _section(console, say("explain-example", language), "\n".join(_example(shown, words)))
    finding = Finding((), (), mistakes=(NamedMistake(id_, parameters),))
    _section(console, say("hint", language), "\n".join(words.hints(finding)))


def show_status(console: Console, words: Words, reached: Mapping[str, str]) -> None:
    """Each function of an assignment and what became of it."""
    specs = words.assignment.functions
    passed = sum(reached.get(spec.name) == "passed" for spec in specs)
    count = say("reached-count", words.language, passed=passed, total=len(specs))
    console.print(Text(f"{words.title()}    {count}", "bold"))
    width = max((cell_len(spec.name) for spec in specs), default=0)
    for spec in specs:
        status = reached.get(spec.name, "unknown")
        line = Text(f"  {spec.name.ljust(width)}  ")
        console.print(line.append(say(f"reached-{status}", words.language), _STYLES[status]))


def _example(shown: ShownCall, words: Words) -> list[str]:
    """The call, then both results, or the number in which they differ most."""
    with_ = shown.message.with_
    expected = shown.expected if shown.gives else str(with_.get("expected", ""))
    gives = shown.gives if shown.expected else str(with_.get("yours", ""))
    first = words.message(shown.message)[:1]
    said = [say(id_, words.language, **{name: value}) for id_, name, value in _results(expected, gives) if value]
    return [clean(shown.call), *(first if not (shown.expected and shown.gives) else []), *said]


def _results(expected: str, gives: str) -> list[tuple[str, str, str]]:
    return [("explain-expected", "expected", expected), ("explain-gives", "yours", gives)]


def _section(console: Console, title: str, body: str) -> None:
    if body:
        console.print()
        console.print(Text(title, "yellow"))
        console.print(Padding(Text(body), (0, 0, 0, 2)))
