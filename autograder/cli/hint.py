"""`attn hint`, `attn explain` and `attn status`: what a learner may look up after a check. None loads PyTorch."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING, Annotated

import typer

from autograder.cli.answers import answering, console
from autograder.cli.options import LanguageOption
from autograder.course.troubles import Refused

if TYPE_CHECKING:
    from autograder.cli.learners import AuthoredCatalogue, PackCatalogue
    from autograder.learn.state import State


def hint(*, lang: LanguageOption = None) -> None:
    """The next hint on what the last check found."""
    with answering(lang) as language:
        from autograder.cli.learners import catalogue_for_reading
        from autograder.learn.state import read_state, with_hint, write_state
        from autograder.present.pages import show_hint
        from autograder.present.words import Words

        catalogue = catalogue_for_reading()
        state = read_state(catalogue.root)
        if state.last is None or state.last.assignment not in catalogue.names:  # of a kit that is no longer here
            raise Refused("hint-no-finding")
        words = Words(catalogue.assignment(state.last.assignment), language)
        number = show_hint(console(), state.last.finding, max(0, state.last.hints) + 1, words)
        write_state(catalogue.root, with_hint(state, number))


def explain(
    mistake: Annotated[
        str | None, typer.Argument(metavar="ID", help="A mistake by its id. [default: the last one found]")
    ] = None,
    *,
    lang: LanguageOption = None,
) -> None:
    """What a mistake does, why people make it, and an example."""
    with answering(lang) as language:
        from autograder.cli.learners import PackCatalogue, catalogue_for_reading
        from autograder.learn.state import read_state
        from autograder.present.pages import show_mistake
        from autograder.present.words import Words

        catalogue = catalogue_for_reading()
        asked = mistake or _last(read_state(catalogue.root))
        name = _home_of(asked, catalogue)
        pack = catalogue.pack(name) if isinstance(catalogue, PackCatalogue) else None
        shown = pack.examples.get(asked) if pack else None
        show_mistake(console(), asked, shown, Words(catalogue.assignment(name), language))


def status(*, lang: LanguageOption = None) -> None:
    """What passes so far."""
    with answering(lang) as language:
        from autograder.cli.learners import catalogue_for_reading
        from autograder.learn.state import read_state
        from autograder.present.pages import show_status
        from autograder.present.words import Words

        catalogue = catalogue_for_reading()
        reached = read_state(catalogue.root).functions
        for words in [Words(catalogue.assignment(name), language) for name in catalogue.names]:
            show_status(console(), words, reached.get(words.assignment.name, {}))


def _last(state: State) -> str:
    """The mistake that was found last."""
    named = (*state.last.finding.mistakes, *state.last.finding.one_of) if state.last else ()
    if not named:
        raise Refused("usage-explain-what")
    return named[0].id


def _home_of(asked: str, catalogue: AuthoredCatalogue | PackCatalogue) -> str:
    """The assignment whose mistake it is; raises Refused that suggests the closest."""
    known = {mistake.id: name for name in reversed(catalogue.names) for mistake in catalogue.assignment(name).mistakes}
    if asked not in known:
        close = difflib.get_close_matches(asked, known, n=3)
        raise Refused("usage-mistake-like", id=asked, names=close) if close else Refused("usage-no-mistake", id=asked)
    return known[asked]
