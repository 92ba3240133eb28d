"""Every fault of a folder is one line that names file and key, word for word."""

import pytest

from autograder.content import examples, load
from autograder.model import ContentError

MISTAKE = """
[[mistake]]
id = "{id}"
frequency = "rare"
source = "seen"
{rest}
"""


def swap(*arguments):
    return lambda folder: folder.swap(*arguments)


def write(*arguments):
    return lambda folder: folder.write(*arguments)


def remove(name):
    return lambda folder: folder.remove(name)


FIND = 'find = "FACTOR * x"\nreplace = "FACTOR + x"'


def edit(written):
    return lambda folder: folder.swap("mistakes.toml", FIND, written)


CASES = {
    # ---- files
    "missing file": (remove("test_hidden.py"), "test_hidden.py: is missing"),
    "missing language": (remove("text.ja.toml"), "text.ja.toml: is missing"),
    "unexpected file": (write("notes.txt", ""), "notes.txt: unexpected file"),
    "unexpected folder": (write("drafts/a.py", ""), "drafts: unexpected folder"),
    "unexpected file among examples": (write("accepted/plus.txt", ""), "accepted/plus.txt: unexpected file"),
    "not UTF-8": (write("helpers.py", "x = 1\n# é".encode("latin-1")), "helpers.py: line 2 is not UTF-8"),
    "TOML": (
        swap("assignment.toml", "minutes = 45", "minutes 45"),
        "assignment.toml: is not TOML: Expected '=' after a key in a key/value pair (at line 2, column 9)",
    ),
    # ---- assignment.toml
    "unknown key": (swap("assignment.toml", "minutes", 'note = ""\nminutes'), "assignment.toml: note: unknown key"),
    "missing key": (swap("assignment.toml", "minutes = 45", ""), "assignment.toml: minutes: is missing"),
    "wrong type": (
        swap("assignment.toml", "= 45", '= "45"'),
        "assignment.toml: minutes: expected a whole number, got text",
    ),
    "too small": (
        swap("assignment.toml", "version = 3", "version = 0"),
        "assignment.toml: version: expected a whole number >= 1",
    ),
    "unknown key of a function": (
        swap("assignment.toml", "points = 8\n", "points = 8\nneed = []\n"),
        "assignment.toml: functions.double.need: unknown key",
    ),
    "wrong type in a list": (
        swap("assignment.toml", '["torch.mul"]', "[1]"),
        "assignment.toml: classes.Scaler.off_limits 1: expected text, got a whole number",
    ),
    "unknown need": (
        swap("assignment.toml", 'needs = ["double"]', 'needs = ["twice"]'),
        "assignment.toml: classes.Scaler.needs: unknown function 'twice'",
    ),
    "later need": (
        swap("assignment.toml", 'needs = ["double"]', 'needs = ["halve"]'),
        "assignment.toml: classes.Scaler.needs: 'halve' does not come earlier",
    ),
    "unqualified name": (
        swap("assignment.toml", "torch.mul", "mul"),
        "assignment.toml: classes.Scaler.off_limits: 'mul' is not a qualified name such as 'torch.softmax'",
    ),
    # ---- solution.py
    "not Python": (
        swap("solution.py", "def double", "dfe double"),
        "solution.py: line 8: is not Python: invalid syntax",
    ),
    # ---- tests
    "tests not Python": (
        swap("test_hidden.py", "def ", "dfe "),
        "test_hidden.py: line 5: is not Python: invalid syntax",
    ),
    "test twice": (
        lambda folder: folder.write("test_hidden.py", (folder.path / "test_hidden.py").read_text("utf-8") * 2),
        "test_hidden.py: test_half_as_much: is already in test_hidden.py",
    ),
    "test in a class": (
        write("test_hidden.py", "class TestHalf:\n    pass\n"),
        "test_hidden.py: TestHalf: tests are functions here, not classes",
        "assignment.toml: functions.halve.points: 4.5, but its tests' points sum to 0",
        "text.en.toml: tests.half_as_much: nothing has this name",
        "text.ja.toml: tests.half_as_much: nothing has this name",
        "partial/float_only.py: first line: unknown test 'half_as_much'",
    ),
    "test without points": (
        swap("test_hidden.py", '@pytest.mark.points("halve", 4.5)\n', ""),
        "test_hidden.py: test_half_as_much: has no points mark",
    ),
    "points not constant": (
        swap("test_hidden.py", "4.5", "4 + 0.5"),
        "test_hidden.py: test_half_as_much: its points are not one function's name and one number",
    ),
    "points of another": (
        swap("test_hidden.py", '"halve"', '"half"'),
        "test_hidden.py: test_half_as_much: points name 'half', which is not in assignment.toml",
        "assignment.toml: functions.halve.points: 4.5, but its tests' points sum to 0",
    ),
    "points of tests": (
        swap("test_hidden.py", "4.5", "4"),
        "assignment.toml: functions.halve.points: 4.5, but its tests' points sum to 4",
    ),
    # ---- sentences
    "sentence of a function": (
        swap("text.ja.toml", 'halve = "x の半分"\n', ""),
        "text.ja.toml: functions.halve: sentence is missing",
    ),
    "sentence of nothing": (
        swap("text.en.toml", "[tests]\n", '[tests]\nslow = "slow"\n'),
        "text.en.toml: tests.slow: nothing has this name",
    ),
    "sentence of a test": (
        swap("text.en.toml", 'half_as_much = "half as much comes out"\n', ""),
        "text.en.toml: tests.half_as_much: sentence is missing",
    ),
    "sentence of a mistake": (
        swap("text.en.toml", 'says = "two is added"\n', ""),
        "text.en.toml: mistakes.double-adds-two.says: is missing",
    ),
    "sentences of a mistake": (
        swap("text.en.toml", "[mistakes.double-adds-two]", "[mistakes.double-adds-two-more]"),
        "text.en.toml: mistakes.double-adds-two: sentence is missing",
        "text.en.toml: mistakes.double-adds-two-more: nothing has this name",
    ),
    "no hints": (
        swap("text.en.toml", '["try 3"]', "[]"),
        "text.en.toml: mistakes.double-adds-two.hints: expected a list of length >= 1",
    ),
    "hint of another type": (
        swap("text.en.toml", '["try 3"]', '["try 3", 4]'),
        "text.en.toml: mistakes.double-adds-two.hints 2: expected text, got a whole number",
    ),
    "empty hint": (
        swap("text.en.toml", "try 3", " "),
        "text.en.toml: mistakes.double-adds-two.hints 1: is empty",
    ),
    "message in one language": (
        swap("text.ja.toml", 'seen = "{n} 個"\n', ""),
        "text.ja.toml: messages.seen: sentence is missing",
    ),
    "parameter in one language": (
        swap("text.ja.toml", "係数が {factor} に", "係数が別に"),
        "text.ja.toml: mistakes.factor-wrong.says: carries no parameter, in another language {factor}",
    ),
    "parameter of a message": (
        swap("text.ja.toml", "{n} 個", "{m} 個"),
        "text.ja.toml: messages.seen: carries {m}, in another language {n}",
    ),
    "braces": (
        swap("text.ja.toml", "{factor}", "{factor"),
        "text.ja.toml: mistakes.factor-wrong.says: its braces do not match",
    ),
    "parameter of a case": (
        swap("mistakes.toml", 'with = { factor = "none" }\n', ""),
        "mistakes.toml: mistake 'factor-wrong', case 2: with lacks 'factor', which its sentence carries",
    ),
    # ---- mistakes.toml
    "unknown key beside mistakes": (
        lambda folder: folder.write(
            "mistakes.toml", "mistakes = []\n" + (folder.path / "mistakes.toml").read_text(encoding="utf-8")
        ),
        "mistakes.toml: mistakes: unknown key",
    ),
    "unknown key of a mistake": (
        swap("mistakes.toml", 'frequency = "common"', 'frequency = "common"\nnote = 1'),
        "mistakes.toml: mistake 'factor-wrong': note: unknown key",
    ),
    "unknown key of a case": (
        swap("mistakes.toml", "with = { factor = 3 }", "with = { factor = 3 }\nnote = 1"),
        "mistakes.toml: mistake 'factor-wrong': case 1.note: unknown key",
    ),
    "unknown frequency": (
        swap("mistakes.toml", '"very common"', '"often"'),
        (
            "mistakes.toml: mistake 'double-adds-two': frequency: "
            "expected one of 'very common', 'common', 'rare', got 'often'"
        ),
    ),
    "unknown likeness": (
        swap("mistakes.toml", '"double-adds-two" = "at', '"double-adds" = "at'),
        "mistakes.toml: mistake 'factor-wrong': looks_like: unknown mistake 'double-adds'",
    ),
    "likeness to itself": (
        swap("mistakes.toml", '"double-adds-two" = "at', '"factor-wrong" = "at'),
        "mistakes.toml: mistake 'factor-wrong': looks_like: names itself",
    ),
    "likeness without a reason": (
        swap("mistakes.toml", "at 2 both give 4", ""),
        "mistakes.toml: mistake 'factor-wrong': looks_like.double-adds-two: says no reason",
    ),
    # ---- edits
    "no match": (
        swap("mistakes.toml", '"double(x) * self"', '"triple(x) * self"'),
        "mistakes.toml: mistake 'factor-wrong', case 2, edit 1: find matches 0 times in solution.py",
    ),
    "two matches": (
        swap("mistakes.toml", 'find = "FACTOR * x"', 'find = "FACTOR"'),
        "mistakes.toml: mistake 'double-adds-two': find matches 2 times in solution.py",
    ),
    "matches that overlap": (
        lambda folder: (folder.swap("solution.py", "# 2 · x", "# aaa"), edit('find = "aa"\nreplace = "b"')(folder)),
        "mistakes.toml: mistake 'double-adds-two': find matches 2 times in solution.py",
    ),
    "no edit": (edit(""), "mistakes.toml: mistake 'double-adds-two': has no edit"),
    "empty case": (
        edit(FIND + "\n[[mistake.case]]\nwith = { a = 1 }"),
        "mistakes.toml: mistake 'double-adds-two', case 2: has no edit",
    ),
    "same text": (
        swap("mistakes.toml", "FACTOR + x", "FACTOR * x"),
        "mistakes.toml: mistake 'double-adds-two': replace is the same as find",
    ),
    "find and function": (
        edit(FIND + '\nfunction = "double"'),
        "mistakes.toml: mistake 'double-adds-two': needs either find or function",
    ),
    "no replacement": (
        edit('find = "FACTOR * x"'),
        "mistakes.toml: mistake 'double-adds-two': needs replace",
    ),
    "no source": (
        edit('edits = [{ function = "double" }]'),
        "mistakes.toml: mistake 'double-adds-two': needs source",
    ),
    "find with source": (
        edit('edits = [{ find = "FACTOR * x", source = "x" }]'),
        "mistakes.toml: mistake 'double-adds-two': find goes with replace, not with source",
    ),
    "unknown function": (
        edit('edits = [{ function = "treble", source = "def treble(x): return x" }]'),
        "mistakes.toml: mistake 'double-adds-two': function 'treble' is not in solution.py",
    ),
    "another function": (
        edit('edits = [{ function = "double", source = "def treble(x): return x" }]'),
        "mistakes.toml: mistake 'double-adds-two': the edited text does not define double",
    ),
    "overlapping edits": (
        edit('edits = [{ find = "FACTOR * x", replace = "x" }, { find = "x  # (B, T)", replace = "x" }]'),
        "mistakes.toml: mistake 'double-adds-two': its edits overlap",
    ),
    "edited text not Python": (
        swap("mistakes.toml", "FACTOR + x", "FACTOR +"),
        "mistakes.toml: mistake 'double-adds-two': the edited text is not Python: invalid syntax",
    ),
    "edit of a comment": (
        edit('find = "Twice, scaled"\nreplace = "Scaled"'),
        "mistakes.toml: mistake 'double-adds-two': edits text that no function or class uses",
    ),
    # ---- examples
    "accepted first line": (
        write("accepted/plus.py", "# accepted:\n"),
        "accepted/plus.py: first line must read '# accepted: which style'",
    ),
    "partial first line": (
        write("partial/float_only.py", "x = 1\n"),
        "partial/float_only.py: first line must read '# may lose: test_a, test_b'",
    ),
    "mistaken first line": (
        write("mistaken/adds.py", "# mistake: double-adds-two\n"),
        "mistaken/adds.py: first line must read '# mistakes: id-1, id-2'",
    ),
    "unknown test of an example": (
        write("partial/float_only.py", "# may lose: test_speed\n"),
        "partial/float_only.py: first line: unknown test 'speed'",
    ),
    "unknown mistake of an example": (
        write("mistaken/adds.py", "# mistakes: double-adds-two, adds\n"),
        "mistaken/adds.py: first line: unknown mistake 'adds'",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_a_fault_is_named_and_brings_no_others(folder, case):
    spoil, *lines = CASES[case]
    spoil(folder)
    assert sorted(folder.faults()) == sorted(lines)


def test_points_must_sum_to_twenty(folder):
    folder.swap("assignment.toml", "points = 8", "points = 7")
    folder.swap("test_visible.py", '"double", 8', '"double", 7')
    assert folder.faults() == ["assignment.toml: points: sum to 19, not 20"]


def test_the_reference_has_what_the_assignment_asks_for(folder):
    folder.swap("solution.py", "def double(x):\n    return FACTOR * x", "def twice(x):\n    return FACTOR * x")
    folder.swap("solution.py", "class Scaler:", "def Scaler():")
    assert folder.faults() == [
        "solution.py: function 'double' of assignment.toml is missing",
        "solution.py: 'Scaler' is a function; in assignment.toml it is a class",
    ]


def test_an_assignment_asks_for_something(folder):
    folder.write("assignment.toml", "version = 1\nminutes = 45\n")
    assert "assignment.toml: functions: none is asked for" in folder.faults()


def test_a_name_is_a_function_or_a_class(folder):
    folder.swap("assignment.toml", "[classes.Scaler]", "[classes.double]\npoints = 1\n[classes.Scaler]")
    assert "assignment.toml: classes.double: is also a function" in folder.faults()


def test_what_is_asked_for_can_be_defined(folder):
    folder.swap("assignment.toml", "[functions.halve]", "[functions.lambda]\npoints = 1\n[functions.halve]")
    assert "assignment.toml: functions.lambda: is not a Python name" in folder.faults()


@pytest.mark.parametrize("id_", ["Double-adds", "double_adds", "double--adds", ""])
def test_an_id_is_plain(folder, id_):
    folder.swap("mistakes.toml", 'id = "double-adds-two"', f'id = "{id_}"')
    plain = "an id is made of small letters, digits and single hyphens"
    assert f"mistakes.toml: mistake '{id_}': {plain}" in folder.faults()


def test_an_id_stands_once(folder):
    rest = 'find = "import math"\nreplace = "import cmath as math"'
    tables = (folder.path / "mistakes.toml").read_text(encoding="utf-8")
    folder.write("mistakes.toml", tables + MISTAKE.format(id="double-adds-two", rest=rest))
    assert folder.faults() == ["mistakes.toml: mistake 'double-adds-two': stands 2 times"]


def test_a_mistake_without_an_id_is_named_by_its_place(folder):
    folder.swap("mistakes.toml", 'id = "factor-wrong"\n', "")
    assert "mistakes.toml: mistake 2: id: is missing" in folder.faults()


def test_mistakes_are_a_list(folder):
    folder.write("mistakes.toml", "[mistake]\nid = 'double-adds-two'\n")
    assert "mistakes.toml: mistake: write each as [[mistake]]" in folder.faults()


def test_every_fault_of_a_folder_is_told_at_once(folder):
    folder.swap("assignment.toml", "minutes = 45", "minute = 45")
    folder.swap("text.ja.toml", 'double = "x の 2 倍"\n', "")
    folder.swap("mistakes.toml", '"FACTOR * x"', '"FACTOR x"')
    folder.write("mistaken/adds.py", "")
    folder.write("notes.txt", "")
    assert folder.faults() == [
        "notes.txt: unexpected file",
        "assignment.toml: minute: unknown key",
        "assignment.toml: minutes: is missing",
        "mistakes.toml: mistake 'double-adds-two': find matches 0 times in solution.py",
        "text.ja.toml: functions.double: sentence is missing",
        "mistaken/adds.py: first line must read '# mistakes: id-1, id-2'",
    ]


def test_a_folder_that_is_not_there_is_one_line(tmp_path):
    with pytest.raises(ContentError) as caught:
        load(tmp_path / "05_nothing")
    assert caught.value.faults == (f"{tmp_path.resolve() / '05_nothing'}: no such folder",)


def test_examples_alone_tell_their_faults_too(folder):
    folder.write("mistaken/adds.py", "# mistakes: adds\n")
    with pytest.raises(ContentError) as caught:
        examples(folder.path)
    assert caught.value.faults == ("04_small/mistaken/adds.py: first line: unknown mistake 'adds'",)
