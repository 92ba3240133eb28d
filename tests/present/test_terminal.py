"""What a learner and what staff read of one report, word for word."""

import io
import unicodedata

import pytest
from rich.console import Console

from autograder.model import Finding, Message, NamedMistake, Note
from autograder.present.terminal import all_pass, show_check, show_report


def shown(show, *arguments, width=100, color=False):
    stream = io.StringIO()
    system = "truecolor" if color else None
    console = Console(
        file=stream, width=width, markup=False, highlight=False, emoji=False, color_system=system, force_terminal=color
    )
    show(console, *arguments)
    return stream.getvalue()


def check_of(report, assignment, language="en"):
    return shown(show_check, report, assignment, language, "attn check ann.py")


def test_a_check_shows_what_passes_one_finding_a_hint_and_what_to_type(make, assignment):
    assert check_of(make.reversed_mask(), assignment) == (
        "04 Masked softmax    2 of 4 checks pass    4 of 8 points\n"
        "causal_mask       0 of 2 points\n"
        "  FAIL    keys after the query are hidden\n"
        "          the mask hides the past and shows the future\n"
        "          the result has another value at [0, 2]\n"
        "          expected 0\n"
        "          yours    0.25\n"
        "          largest difference 0.25\n"
        "masked_softmax    2 of 4 points\n"
        "  pass    rows sum to one\n"
        "  skip    inputs stay as they were  (needs: causal_mask)\n"
        "masked_attention  2 of 2 points\n"
        "  pass    the output mixes the values  (right, given what was found)\n"
        "hint: print a 3 x 3 mask\n"
        "1 more after this one\n"
        "next: change the code, then type: attn check ann.py\n"
    )


def test_a_check_speaks_japanese(make, assignment):
    assert check_of(make.reversed_mask(), assignment, "ja") == (
        "04 マスク付き softmax    4 個中 2 個に合格    8 点中 4 点\n"
        "causal_mask       2 点中 0 点\n"
        "  失敗    クエリより後のキーは隠れている\n"
        "          マスクが過去を隠し、未来を見せている\n"
        "          結果の [0, 2] の値が違います\n"
        "          期待する値 0\n"
        "          あなたの値 0.25\n"
        "          最大の差   0.25\n"
        "masked_softmax    4 点中 2 点\n"
        "  合格    各行の和は 1\n"
        "  省略    入力はそのまま  (先に必要なもの: causal_mask)\n"
        "masked_attention  2 点中 2 点\n"
        "  合格    出力は値の混合  (指摘の点を除けば正しい)\n"
        "ヒント: 3 行 3 列のマスクを表示してみましょう。\n"
        "このあとにさらに 1 件\n"
        "次: コードを変えたら attn check ann.py を実行\n"
    )


def test_staff_see_every_finding_and_the_sandbox_level(make, assignment):
    text = shown(show_report, make.reversed_mask(), assignment, "en")
    assert text.splitlines()[0] == "ann"
    assert "  FAIL    inputs stay as they were\n          the call changes its argument `scores`\n" in text
    assert text.endswith("sandbox: full\n")
    assert "hint" not in text


@pytest.mark.parametrize("language", ["en", "ja"])
def test_sentences_start_in_one_column_whatever_the_language(make, assignment, language):
    tests = [
        make.test("rows_sum_to_one", "causal_mask", status)
        for status in ("passed", "failed", "skipped", "error", "unchecked", "timeout")
    ]
    sentence = assignment.texts[language].tests["rows_sum_to_one"]
    lines = [line for line in check_of(make.report(*tests), assignment, language).splitlines() if sentence in line]
    assert len(lines) == 6
    assert {cells(line[: line.index(sentence)]) for line in lines} == {10}


def cells(text):
    return sum(2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in text)


def test_a_long_sentence_keeps_its_indent(make, assignment):
    message = Message("raised", {"type_name": "ValueError", "text": "sizes differ " * 9})
    report = make.report(make.test("rows_sum_to_one", "causal_mask", "failed", message=message))
    lines = shown(show_check, report, assignment, "en", "attn check ann.py", width=60).splitlines()
    wrapped = [line for line in lines if "sizes" in line]
    assert len(wrapped) > 1
    assert all(line.startswith(" " * 10) and len(line) <= 60 for line in wrapped)


def test_a_fresh_stub_is_told_what_to_write_first(make, assignment):
    tests = [
        make.test(name, function, "skipped", message=Message("unwritten", {"name": function}))
        for name, function in [("future_keys_are_hidden", "causal_mask"), ("rows_sum_to_one", "masked_softmax")]
    ]
    text = check_of(make.report(*tests), assignment)
    assert "  skip    keys after the query are hidden\n          `causal_mask` is not written yet\n" in text
    assert text.endswith("next: write `causal_mask`, then type: attn check ann.py\n")


def test_when_all_passes_nothing_is_left_to_type(make, assignment):
    report = make.report(
        make.test("rows_sum_to_one", "causal_mask"), make.test("inputs_stay", "causal_mask", "unchecked")
    )
    assert all_pass(report)
    assert check_of(report, assignment).endswith("all visible checks pass\n")


@pytest.mark.parametrize("status", ["failed", "skipped", "error", "timeout", "missing"])
def test_anything_else_is_not_a_pass(make, status):
    assert not all_pass(make.report(make.test("rows_sum_to_one", "causal_mask", status)))


def test_an_unreadable_file_is_told_why(make, assignment):
    report = make.report(status="unreadable", problem=Message("not-json", {"line": 3}))
    assert check_of(report, assignment) == (
        "04 Masked softmax\n"
        "unreadable: the notebook is not complete JSON, so nothing in it can be read\n"
        "next: change the code, then type: attn check ann.py\n"
    )


def test_an_endless_loop_outside_functions_is_told_so(make, assignment):
    report = make.report(status="timeout", problem=Message("timeout", {"how": ""}))
    assert "too slow: while the code outside functions runs\n" in check_of(report, assignment)


def test_an_error_in_one_cell_stands_above_the_tests(make, assignment):
    where = {"file": "cell 2", "line": 3, "code": "print(x)"}
    problem = Message("raised", {"type_name": "NameError", "text": "name 'x' is not defined", **where})
    report = make.report(make.test("rows_sum_to_one", "causal_mask"), problem=problem)
    assert "  raises NameError: name 'x' is not defined\n  cell 2, line 3: print(x)\ncausal_mask" in check_of(
        report, assignment
    )


def test_notes_are_shown(make, assignment):
    notes = (Note("note-magic-dropped", {"cell": "cell 3", "magic": "%matplotlib inline"}),)
    report = make.report(make.test("rows_sum_to_one", "causal_mask"), notes=notes)
    assert "  cell 3: `%matplotlib inline` is left out\n" in check_of(report, assignment)
    assert "  セル 3: `%matplotlib inline` は実行しません\n" in check_of(report, assignment, "ja")


def test_one_of_several_mistakes_lists_them(make, assignment):
    either = (NamedMistake("reversed"), NamedMistake("divisor", {"divisor": "d_k"}))
    finding = Finding(("causal_mask",), ("rows_sum_to_one",), one_of=either)
    report = make.report(
        make.test("rows_sum_to_one", "causal_mask", "failed", message=make.values), findings=(finding,)
    )
    assert (
        "          one of these:\n"
        "          - the mask hides the past and shows the future\n"
        "          - the scores are divided by d_k\n"
    ) in check_of(report, assignment)


def test_numbers_and_hint_are_of_one_finding(make, assignment):
    """The first test fails for two reasons, and its error is the other one's."""
    error = Message("raised", {"type_name": "ValueError", "text": "no"})
    tests = (
        make.test("future_keys_are_hidden", "causal_mask", "failed", message=error),
        make.test("rows_sum_to_one", "causal_mask", "failed", message=make.values),
        make.test("inputs_stay", "masked_softmax", "failed", message=error),
    )
    one = Finding(("causal_mask",), ("future_keys_are_hidden", "rows_sum_to_one"), mistakes=(NamedMistake("reversed"),))
    other = Finding(
        ("causal_mask", "masked_softmax"),
        ("future_keys_are_hidden", "inputs_stay"),
        mistakes=(NamedMistake("divisor", {"divisor": "d_k"}),),
    )
    text = check_of(make.report(*tests, findings=(one, other)), assignment)
    assert "ValueError" not in text
    below = text[text.index("FAIL    rows sum to one") :]
    assert below.index("the mask hides the past") < below.index("0.25") < below.index("hint: print a 3 x 3 mask")


def test_what_a_call_returns_is_shown_rather_than_an_error_that_comes_of_it(make, assignment):
    error = Message("raised", {"type_name": "ValueError", "text": "no"})
    tests = (
        make.test("future_keys_are_hidden", "causal_mask", "failed", message=error),
        make.test("rows_sum_to_one", "causal_mask", "failed", message=make.values),
    )
    finding = Finding(("causal_mask",), tuple(test.name for test in tests), mistakes=(NamedMistake("reversed"),))
    text = check_of(make.report(*tests, findings=(finding,)), assignment)
    assert "ValueError" not in text
    assert "0.25" in text


def test_two_mistakes_at_once_are_both_said(make, assignment):
    both = (NamedMistake("divisor", {"divisor": "d_v"}), NamedMistake("reversed"))
    finding = Finding(("causal_mask",), ("rows_sum_to_one",), mistakes=both)
    report = make.report(
        make.test("rows_sum_to_one", "causal_mask", "failed", message=make.values), findings=(finding,)
    )
    text = check_of(report, assignment)
    assert "          the scores are divided by d_v\n          the mask hides the past and shows the future\n" in text
    assert "hint: what grows with d_v?\n" in text


def test_a_broken_property_is_shown_with_the_numbers_of_the_smallest_call(make, assignment):
    numbers = {"kind": "shape", "path": "[0]", "expected": "(2, 3)", "yours": "(3,)", "shown_by": "inputs_stay"}
    broken = Message("property", {"test": "rows_sum_to_one", **numbers})
    finding = Finding(("causal_mask",), ("rows_sum_to_one",), property=broken)
    failed = make.test(
        "rows_sum_to_one", "causal_mask", "failed", message=Message("property", {"test": "rows_sum_to_one"})
    )
    assert (
        "  FAIL    rows sum to one\n"
        "          result[0] has another shape\n"
        "          expected (2, 3)\n"
        "          yours    (3,)\n"
    ) in check_of(make.report(failed, findings=(finding,)), assignment)


def test_a_tests_own_message_comes_from_the_assignment(make, assignment):
    failed = make.test("rows_sum_to_one", "causal_mask", "failed", message=Message("sums", {"row": 2, "total": 0.9}))
    assert "          row 2 sums to 0.9\n" in check_of(make.report(failed), assignment)
    assert "          2 行目の和が 0.9\n" in check_of(make.report(failed), assignment, "ja")


def test_ids_from_a_newer_kit_stand_for_themselves(make, assignment):
    finding = Finding(("causal_mask",), ("rows_sum_to_one",), mistakes=(NamedMistake("brand-new"),))
    failed = make.test("rows_sum_to_one", "causal_mask", "failed", message=Message("brand-new-message", {"a": 1}))
    text = check_of(make.report(failed, findings=(finding,)), assignment)
    assert "          shows the mistake `brand-new`\n          brand-new-message\n" in text


def test_our_own_failure_blames_nobody(make, assignment):
    report = make.report(
        make.test("rows_sum_to_one", "causal_mask", "error", message=Message("internal", {"text": "KeyError: 'x'"}))
    )
    assert "  ERROR   rows sum to one\n          the grader failed here, not your code: KeyError: 'x'\n" in check_of(
        report, assignment
    )


def test_nothing_from_a_submission_acts_on_the_terminal(make, assignment):
    evil = "\x1b]0;owned\x07\x1b[2J[bold]x[/bold]\u202e:smile:"
    where = {"file": evil, "line": 1, "code": evil}
    message = Message("raised", {"type_name": evil, "text": evil, **where})
    report = make.report(
        make.test("rows_sum_to_one", "causal_mask", "failed", message=message), student=evil, notes=(Note(evil),)
    )
    text = shown(show_report, report, assignment, "en")
    assert not set(text) & set("\x1b\x07\u202e")
    assert text.splitlines()[0] == "[bold]x[/bold]:smile:"
    assert "raises [bold]x[/bold]:smile:: [bold]x[/bold]:smile:\n" in text


def test_colours_are_for_terminals_only(make, assignment):
    arguments = (make.reversed_mask(), assignment, "en", "attn check ann.py")
    assert "\x1b[" in shown(show_check, *arguments, color=True)
    assert "\x1b" not in shown(show_check, *arguments)


def test_a_long_test_sentence_goes_on_below_its_beginning(make, assignment):
    report = make.reversed_mask()
    lines = shown(show_check, report, assignment, "ja", "attn check ann.py", width=44).splitlines()
    place = next(number for number, line in enumerate(lines) if "入力はそのまま" in line)
    assert lines[place : place + 2] == ["  省略    入力はそのまま  (先に必要なもの:", "          causal_mask)"]


def test_points_are_not_rounded(make, assignment):
    report = make.report(make.test("rows_sum_to_one", "masked_softmax", points=14.25))
    assert "14.25 of 14.25 points" in check_of(report, assignment)


def test_a_function_that_is_not_there_is_said_once(make, assignment):
    message = Message("missing", {"name": "masked_softmax"})
    names = ("rows_sum_to_one", "inputs_stay")
    report = make.report(*(make.test(name, "masked_softmax", "missing", message=message) for name in names))
    assert check_of(report, assignment).splitlines()[1:5] == [
        "masked_softmax    0 of 4 points",
        "  FAIL    rows sum to one",
        "  FAIL    inputs stay as they were",
        "          `masked_softmax` is not defined",
    ]
