"""A class in one table."""

import io

from rich.cells import cell_len
from rich.console import Console

from autograder.model import Finding, Message, NamedMistake
from autograder.present.classes import show_class


def table_of(reports, assignment, language="en"):
    stream = io.StringIO()
    console = Console(file=stream, width=100, markup=False, highlight=False, emoji=False, color_system=None)
    show_class(console, reports, {assignment.name: assignment}, language)
    return [line.rstrip() for line in stream.getvalue().splitlines()]


def row(lines, student):
    return next(" ".join(line.split()) for line in lines if line.strip().startswith(student))


def a_class(make):
    unwritten = [
        make.test("rows_sum_to_one", "masked_softmax"),
        make.test("output_mixes_values", "masked_attention", "skipped"),
    ]
    unexplained = make.test("rows_sum_to_one", "masked_softmax", "timeout", message=Message("timeout", {"how": ""}))
    return [
        make.reversed_mask(student="ann"),
        make.reversed_mask(student="bo"),
        make.report(make.test("rows_sum_to_one", "masked_softmax", points=20.0), student="cy"),
        make.report(*unwritten, student="di"),
        make.report(unexplained, student="ed"),
        make.report(student="fay", status="unreadable", problem=Message("empty")),
    ]


def test_each_student_has_a_line(make, assignment):
    lines = table_of(a_class(make), assignment)
    assert lines[0] == "04_masked_softmax: 6 handed in, mean 5 of 20"
    assert (
        row(lines, "ann") == "ann 4 / 20 the mask hides the past and shows the future; masked_softmax: the call changes"
    )
    assert row(lines, "cy") == "cy 20 / 20 everything passes"
    assert row(lines, "di") == "di 2 / 20 not written yet: masked_attention"
    assert row(lines, "ed") == "ed 0 / 20 does not finish in time"
    assert row(lines, "fay") == "fay 0 / 20 unreadable: the file holds no code"


def test_what_the_class_does_is_counted_by_student(make, assignment):
    lines = table_of(a_class(make), assignment)
    place = lines.index("what the class does")
    assert lines[place + 1] == "   2  the mask hides the past and shows the future"


def test_the_table_aligns_in_japanese(make, assignment):
    reports = [
        make.report(make.test("rows_sum_to_one", "masked_softmax", points=20.0), student=name)
        for name in ("山田", "ann")
    ]
    lines = table_of(reports, assignment, "ja")
    assert lines[0] == "04_masked_softmax: 提出 2 件、平均 20 点 (20 点満点)"
    rows = [line for line in lines if line.endswith("すべて合格")]
    assert len({cell_len(line) for line in rows}) == 1
    assert len(rows) == 2


def test_mistakes_at_once_and_alternatives_read_as_such(make, assignment):
    pair = (NamedMistake("reversed"), NamedMistake("divisor", {"divisor": "d_v"}))
    failed = make.test("rows_sum_to_one", "causal_mask", "failed", message=make.values)
    both = make.report(failed, student="bo", findings=(Finding(("causal_mask",), ("rows_sum_to_one",), mistakes=pair),))
    either = make.report(failed, student="ed", findings=(Finding(("causal_mask",), ("rows_sum_to_one",), one_of=pair),))
    lines = table_of([both, either], assignment)
    assert row(lines, "bo").endswith("the mask hides the past and shows the future and the scores are divided by d_v")
    assert row(lines, "ed").endswith("the mask hides the past and shows the future or the scores are divided by d_v")


def test_why_functions_are_not_there_is_told(make, assignment):
    gone = make.test("rows_sum_to_one", "masked_softmax", "missing", message=Message("missing", {"name": "x"}))
    raised = Message("raised", {"type_name": "SystemExit", "text": "usage", "file": "", "line": 0, "code": ""})
    lines = table_of([make.report(gone, student="ann", problem=raised)], assignment)
    assert "while the code outside functions runs: raises SystemExit: usage" in " ".join(" ".join(lines).split())
    passing = make.report(make.test("rows_sum_to_one", "masked_softmax"), student="bo", problem=raised)
    assert row(table_of([passing], assignment), "bo") == "bo 2 / 20 everything passes"


def test_a_long_exception_takes_a_few_lines(make, assignment):
    raised = Message("raised", {"type_name": "E", "text": "x" * 5000, "file": "", "line": 0, "code": ""})
    tests = [make.test(name, "masked_softmax", "failed", message=raised) for name in ("rows_sum_to_one", "inputs_stay")]
    assert len(table_of([make.report(*tests, student="ann")], assignment)) < 10
