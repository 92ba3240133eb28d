"""An authored folder, read and checked as a whole."""

from __future__ import annotations

import re
from pathlib import Path

from msgspec.structs import replace

from autograder.content import graders, texts
from autograder.content.examples import KINDS, read_examples
from autograder.content.files import Faults, read_text
from autograder.content.lessons import read_lessons
from autograder.content.mistakes import Mistakes, read_mistakes
from autograder.content.questions import check_words, read_questions
from autograder.content.reference import Reference, calls, parse
from autograder.content.spec import Spec, check_reference, read_spec
from autograder.model import Assignment, ContentError, Question, Text

_FILES = re.compile(
    r"assignment\.toml|mistakes\.toml|questions\.toml|text\.[a-z]{2}\.toml|lesson\.[a-z]{2}\.md"
    r"|solution\.py|helpers\.py|cells\.py|test_visible\.py|test_hidden\.py"
)


def load(folder: Path) -> Assignment:
    """The assignment of a folder. Nothing in it is run.

    Raises ContentError with every fault of the folder, a line each.
    """
    folder = folder.resolve()
    if not folder.is_dir():
        raise ContentError(f"{folder}: no such folder")
    faults = Faults(folder)
    _check_files(faults)
    spec, reference = read_spec(faults), _reference(faults)
    mistakes = read_mistakes(reference, faults)
    languages, questions = _read_words(spec, mistakes, faults)
    if spec and reference:
        check_reference(spec, reference, faults)
    helpers = read_text("helpers.py", faults, required=False)
    if faults.lines or spec is None or reference is None:
        raise ContentError(*faults.lines)
    read = _assignment(folder, spec, mistakes, languages, reference)
    return replace(read, helpers=helpers or "", questions=questions)


def _assignment(
    folder: Path, spec: Spec, mistakes: Mistakes, languages: dict[str, Text], reference: Reference
) -> Assignment:
    return Assignment(
        name=folder.name,
        folder=folder,
        version=spec.version,
        minutes=spec.minutes,
        functions=spec.functions,
        mistakes=mistakes.known,
        texts=languages,
        solution=reference.text,
        calls=calls(reference),
    )


def _reference(faults: Faults) -> Reference | None:
    text = read_text("solution.py", faults)
    if text is None:
        return None
    try:
        return parse(text)
    except SyntaxError as error:
        faults.add("solution.py", f"line {error.lineno}: is not Python: {error.msg}")
    except ValueError as error:  # null bytes, before Python 3.12
        faults.add("solution.py", f"is not Python: {error}")
    return None


def _read_words(spec: Spec | None, mistakes: Mistakes, faults: Faults) -> tuple[dict[str, Text], tuple[Question, ...]]:
    """The sentences, checked against what they speak of; also what lessons and first lines of examples name."""
    tests = graders.read_tests(faults)
    languages, raw = texts.read_texts(faults)
    if spec:
        texts.check_keys(raw, "functions", spec.names, faults)
    if tests is not None:
        texts.check_keys(raw, "tests", [test.name for test in tests], faults)
    if spec and tests is not None:
        graders.check_points(spec, tests, faults)
    if mistakes.ids is not None:
        texts.check_keys(raw, "mistakes", mistakes.ids, faults)
    texts.check_messages(raw, faults)
    texts.check_sentences(raw, faults)
    texts.check_cases(languages, mistakes.known, faults)
    read_examples(faults, tests, mistakes.ids)
    read_lessons(faults, spec.names if spec else None, raw, required=False)
    questions = read_questions(spec.names if spec else None, faults)
    texts.check_keys(raw, "questions", [question.name for question in questions], faults)
    check_words(questions, raw, faults)
    return languages, questions


def _check_files(faults: Faults) -> None:
    """Files that nothing would ever read. What tools leave behind is none of the author's doing."""
    for entry in sorted(faults.folder.iterdir()):
        if entry.name.startswith((".", "__pycache__")):
            continue
        if entry.is_dir() and entry.name in KINDS:
            for file in sorted(entry.iterdir()):
                if not (file.suffix == ".py" and file.is_file()) and not file.name.startswith((".", "__pycache__")):
                    faults.add(f"{entry.name}/{file.name}", "unexpected file")
        elif entry.is_dir() or not _FILES.fullmatch(entry.name):
            faults.add(entry.name, f"unexpected {'folder' if entry.is_dir() else 'file'}")
