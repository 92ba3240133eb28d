"""Cards and comments on nbgrader's pages: what they say, and what must never stand in them."""

import re
from html import unescape

import pytest
from msgspec.structs import replace

from autograder.model import Finding, Message, NamedMistake, Note
from autograder.present.feedback import card, comments
from autograder.present.words import Words

SCRIPT = "<script>alert(1)</script><img src=x onerror=alert(1)>"


@pytest.fixture
def words(assignment):
    return Words(assignment, "en")


def texts(html):
    return [part for part in re.split(r"\s*<[^>]+>\s*", html) if part]


def test_a_card_shows_points_each_test_its_numbers_the_mistake_and_a_hint(make, words):
    assert texts(card(make.reversed_mask(), "causal_mask", words)) == [
        "causal_mask",
        "0 of 4 points",
        "FAIL",
        "keys after the query are hidden",
        "the result has another value at [0, 2]",
        "expected 0",
        "yours    0.25",
        "largest difference 0.25",
        "the mask hides the past and shows the future",
        "hint: print a 3 x 3 mask",
    ]


def test_a_hidden_test_is_its_sentence_and_its_verdict(make, words):
    hidden = replace(make.test("rows_sum_to_one", "masked_softmax", "failed", message=make.values), visible=False)
    shown = card(make.report(hidden), "masked_softmax", words)
    assert "rows sum to one" in shown
    assert "rows_sum_to_one" not in shown
    assert "0.25" not in shown
    assert "another value" not in shown


@pytest.mark.parametrize("explained", [True, False])
def test_a_hidden_tests_input_cannot_be_put_into_an_exceptions_text(make, words, explained):
    raised = Message("raised", {"type_name": "SECRET", "text": "SECRET", "line": 1, "code": "SECRET", "file": "x"})
    hidden = replace(make.test("rows_sum_to_one", "masked_softmax", "failed", message=raised), visible=False)
    findings = (Finding(("masked_softmax",), ("rows_sum_to_one",), property=raised),) if explained else ()
    report = make.report(hidden, findings=findings)
    assert "SECRET" not in card(report, "masked_softmax", words)
    assert "SECRET" not in comments(report, words)["masked_softmax"]
    assert "rows sum to one" in comments(report, words)["masked_softmax"]


def test_a_student_reads_what_the_code_does_and_not_what_the_solution_does(make, assignment):
    made = {"target": "scores", "old": "Q @ K.mT", "new": "K @ Q.mT"}
    finding = Finding(("causal_mask",), ("future_keys_are_hidden",), mistakes=(NamedMistake("edit", made),))
    failed = make.test("future_keys_are_hidden", "causal_mask", "failed", message=make.values)
    report, words = make.report(failed, findings=(finding,)), Words(assignment, "en", for_students=True)
    for shown in (unescape(card(report, "causal_mask", words)), comments(report, words)["causal_mask"]):
        assert "K @ Q.mT" in shown
        assert "Q @ K.mT" not in shown


def test_nothing_from_a_submission_becomes_a_tag(make, words):
    raised = Message("raised", {"type_name": "E", "text": SCRIPT, "line": 1, "code": SCRIPT, "file": SCRIPT})
    test = make.test("rows_sum_to_one", "masked_softmax", "failed", message=raised)
    finding = Finding(
        ("masked_softmax",), ("rows_sum_to_one",), mistakes=(NamedMistake("divisor", {"divisor": SCRIPT}),)
    )
    for report in (
        make.report(test, findings=(finding,), notes=(Note("note-kit-cell-unknown", {"cell": SCRIPT}),)),
        make.report(test, status="crashed", problem=raised),
    ):
        for function in ("causal_mask", "masked_softmax"):
            tags = set(re.findall(r"<\s*/?\s*(\w+)", card(report, function, words)))
            assert tags <= {"div", "p", "strong", "table", "tr", "td", "br", "code"}
        without_code = re.sub(r"(`+)[^`]+\1", "", "\n".join(comments(report, words).values()))
        assert not re.search(r"<[a-zA-Z/!?]", without_code)


ACTS = [
    "confirm your mark at https://evil.example/login please",
    r"$\href{https://evil.example/login}{\color{green}{\Huge\text{All tests pass. 20/20}}}$",
    "[log in](https://evil.example) or www.evil.example",
    "&#36;&#92;href{https://evil.example}{x}&#36;",
    "`a` $x$ `b` **20 of 20 points** <b>all</b>",
]


@pytest.mark.parametrize("text", ACTS)
def test_nothing_from_a_submission_becomes_a_link_or_a_formula(make, words, text):
    """Wherever it gets into a page: an exception, a source line, a parameter, a cell's name, why nothing was graded."""
    markdown = pytest.importorskip("nbconvert.filters.markdown").markdown2html
    raised = Message("raised", {"type_name": text, "text": text, "line": 1, "code": text, "file": text})
    test = make.test("future_keys_are_hidden", "causal_mask", "failed", message=raised)
    mistaken = Finding(("causal_mask",), (), mistakes=(NamedMistake("divisor", {"divisor": text}),))
    broken = Finding(("causal_mask",), ("future_keys_are_hidden",), property=raised)
    notes = (Note("note-kit-cell-unknown", {"cell": text}), Note("note-renamed", {"path": text, "expected": "a"}))
    for report in (
        make.report(test, findings=(mistaken, broken), notes=notes),
        make.report(test),
        make.report(status="crashed", problem=raised),
    ):
        pages = [card(report, "causal_mask", words), *map(markdown, comments(report, words).values())]
        for page in pages:
            assert "evil" not in text or "evil" in page
            assert not re.search(r"<(a|b|strong)\b", page.replace("<strong>causal_mask</strong>", ""))
            assert not re.search(r"[$\\]", unescape(re.sub(r"(?s)<code>.*?</code>", "", page)))


def test_comments_stand_at_the_function_that_they_are_about_in_the_language_asked_for(make, assignment):
    ja = comments(make.reversed_mask(), Words(assignment, "ja"))
    assert set(ja) == {"causal_mask", "masked_softmax"}
    assert (
        ja["causal_mask"] == "マスクが過去を隠し、未来を見せている\n\nヒント: 3 行 3 列のマスクを表示してみましょう。"
    )


def test_what_is_right_gets_no_comment(make, words):
    assert comments(make.report(make.test("rows_sum_to_one", "masked_softmax")), words) == {}


def test_an_unwritten_function_is_said_to_be_unwritten(make, words):
    unwritten = make.test("rows_sum_to_one", "masked_softmax", "skipped", message=Message("unwritten"))
    assert comments(make.report(unwritten), words) == {"masked_softmax": "`masked_softmax` is not written yet"}


def test_why_nothing_was_graded_stands_at_the_first_answer_and_in_every_card(make, words):
    report = make.report(status="unreadable", problem=Message("not-json", {"line": 3}))
    said = "unreadable: the notebook is not complete JSON, so nothing in it can be read"
    assert comments(report, words) == {"causal_mask": said}
    assert all(said in card(report, spec.name, words) for spec in words.assignment.functions)


def test_a_note_stands_at_its_own_answer_and_one_about_the_file_at_the_first(make, words):
    notes = (
        Note("note-answer-twice", {"cell": "masked_softmax"}),
        Note("note-renamed", {"path": "a", "expected": "b"}),
    )
    found = comments(make.report(notes=notes), words)
    assert found == {
        "masked_softmax": "`masked_softmax` is there more than once; all are run in order, so the last counts",
        "causal_mask": "the notebook is called a, not b",
    }


def test_follow_through_is_said(make, words):
    assert "right, given what was found" in card(make.reversed_mask(), "masked_attention", words)
