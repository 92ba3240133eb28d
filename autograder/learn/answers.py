"""Answers to a lesson's questions, judged: predictions by what the learner's own code gives."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import torch

from autograder.learn.showing import value_text
from autograder.messages import clean, say
from autograder.model import Question
from autograder.present.notebook import Card, answer_card
from autograder.present.words import Words

NEAR = 0.005 + 1e-9  # a prediction is written by hand, to two or three digits; 0.12 and 0.13 are both near 1 / 8


def judge(
    question: Question, answer: Any, namespace: Mapping[str, Any], words: Words, fails: Callable[[str], str]
) -> Card:
    """What becomes of an answer. `fails` says how far a function's checks pass; empty where all do.

    A prediction is neither right nor wrong by code that is wrong: then only what the code gives is shown.
    """
    if question.kind == "choice":
        return _choice(question, answer, words)
    try:
        given = eval(question.gives, dict(namespace))  # noqa: S307 - the author's expression, on the learner's own machine
    except Exception as error:  # noqa: BLE001 - the learner's code may raise anything
        said = "ask-unwritten" if isinstance(error, NotImplementedError | NameError) else "ask-raises"
        text = f"{type(error).__name__}: {_text(error, str)}"
        return Card(words.language, (("skip", say(said, words.language, name=question.function, text=text)),))
    if failing := fails(question.function):
        gives = say("ask-gives", words.language, call=question.gives, given=_text(given))
        return Card(words.language, (("skip", failing), ("detail", gives)))
    judged = "right" if _holds(answer, given) else "wrong"
    return answer_card(question, judged, _text(answer), _text(given), words)


def _holds(answer: Any, given: Any) -> bool:
    try:
        return same(answer, given)
    except Exception:  # noqa: BLE001 - whatever an answer is: what cannot be compared is no prediction
        return False


def _text(value: Any, shown: Callable[[Any], str] = value_text) -> str:
    try:
        return clean(shown(value))
    except Exception:  # noqa: BLE001 - as above: it may refuse to be shown
        return type(value).__name__


def _choice(question: Question, answer: Any, words: Words) -> Card:
    options = words.text.questions[question.name].options
    taken = _text(answer, str).strip().lower()
    if taken not in options:
        return Card(words.language, (("skip", say("ask-options", words.language, names=list(options))),))
    return answer_card(question, taken, taken, "", words)


def same(answer: Any, given: Any) -> bool:
    """Whether a prediction holds: of the same shape, numbers near each other, 1 for True allowed."""
    mine, theirs = plain(answer), plain(given)
    if isinstance(mine, list) and isinstance(theirs, list):
        return len(mine) == len(theirs) and all(map(same, mine, theirs))
    if isinstance(mine, int | float) and isinstance(theirs, int | float):
        return math.isclose(mine, theirs, rel_tol=NEAR, abs_tol=NEAR) or (math.isnan(mine) and math.isnan(theirs))
    return bool(mine == theirs)


def plain(value: Any) -> Any:
    """Tensors, arrays and tuples as lists."""
    if isinstance(value, torch.Tensor | np.ndarray | np.generic):
        return value.tolist()
    return [plain(part) for part in value] if isinstance(value, list | tuple) else value
