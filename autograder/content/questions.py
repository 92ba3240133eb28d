"""questions.toml: what a lesson asks, and how the answer is judged. The words stand in text.xx.toml."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Any

from autograder.content.files import Faults, convert, read_toml, tables
from autograder.content.schema import QuestionTable
from autograder.model import Question

FILE = "questions.toml"
JUDGED = ("right", "wrong")  # what becomes of a prediction


def read_questions(functions: tuple[str, ...] | None, faults: Faults) -> tuple[Question, ...]:
    """Those of a folder, in order; none where the file is not there."""
    if not (faults.folder / FILE).is_file():
        return ()
    made = [_question(name, table, functions, faults) for name, table in tables(read_toml(FILE, faults)).items()]
    return tuple(question for question in made if question)


def _question(name: str, table: Any, functions: tuple[str, ...] | None, faults: Faults) -> Question | None:
    made = convert(table, QuestionTable, FILE, f"{name}.", faults)
    if made is None:
        return None
    if not name.isidentifier():
        faults.add(FILE, f"{name}: is not a Python name")
    if (made.gives is None) == (made.answer is None):
        faults.add(FILE, f"{name}: needs either gives, for a prediction, or answer, for a choice")
    elif made.gives is not None:
        _check_prediction(name, made, functions, faults)
        return Question(name, "prediction", made.function or "", made.gives)
    elif made.function is not None:
        faults.add(FILE, f"{name}.function: goes with gives")
    return Question(name, "choice", answer=made.answer or "")


def _check_prediction(name: str, table: QuestionTable, functions: tuple[str, ...] | None, faults: Faults) -> None:
    try:
        names = {node.id for node in ast.walk(ast.parse(table.gives or "", mode="eval")) if isinstance(node, ast.Name)}
    except SyntaxError as error:
        faults.add(FILE, f"{name}.gives: is not an expression: {error.msg}")
        return
    if table.function is None:
        faults.add(FILE, f"{name}.function: is missing")
    elif functions is not None and table.function not in functions:
        faults.add(FILE, f"{name}.function: unknown function {table.function!r}")
    elif table.function not in names:
        faults.add(FILE, f"{name}.gives: does not use {table.function}")


def check_words(questions: tuple[Question, ...], raw: Mapping[str, Mapping[str, Any]], faults: Faults) -> None:
    """Each language has options for a choice, and a sentence for whatever may be answered."""
    options: dict[str, list[str]] = {}
    for language, table in raw.items():
        file = f"text.{language}.toml"
        for question in questions:
            words = tables(tables(table.get("questions")).get(question.name))
            if words:
                wanted = options.setdefault(question.name, list(tables(words.get("options"))))
                _check_options(question, list(tables(words.get("options"))), wanted, file, faults)
                _check_explained(question, words, file, faults)


def _check_options(question: Question, names: list[str], wanted: list[str], file: str, faults: Faults) -> None:
    key = f"questions.{question.name}.options"
    if question.kind == "prediction":
        if names:
            faults.add(file, f"{key}: a prediction has none")
    elif names != wanted:
        faults.add(file, f"{key}: are {', '.join(names)}, in another language {', '.join(wanted)}")
    elif question.answer not in names:
        faults.add(file, f"{key}: lack the answer {question.answer!r}")


def _check_explained(question: Question, words: Mapping[str, Any], file: str, faults: Faults) -> None:
    wanted = JUDGED if question.kind == "prediction" else tuple(tables(words.get("options")))
    written = tables(words.get("explains"))
    for name in wanted:
        if name not in written:
            faults.add(file, f"questions.{question.name}.explains.{name}: sentence is missing")
    for name in written:
        if name not in wanted:
            faults.add(file, f"questions.{question.name}.explains.{name}: nothing has this name")
