"""A folder without a fault becomes an assignment; nothing in it is run."""

import os
import subprocess
import sys
import time

from autograder.content import apply, examples, load
from autograder.model import FunctionSpec

REPORT = "\nimport sys\nprint('torch' in sys.modules)"


def edited(assignment, mistake_id, case=0):
    mistake = next(mistake for mistake in assignment.mistakes if mistake.id == mistake_id)
    return apply(assignment.solution, mistake.cases[case].edits)


def test_the_folder_has_no_fault(folder):
    assert folder.faults() == []


def test_what_the_assignment_asks_for_comes_in_teaching_order(folder):
    assignment = load(folder.path)
    assert (assignment.name, assignment.folder) == ("04_small", folder.path.resolve())
    assert (assignment.version, assignment.minutes) == (3, 45)
    assert assignment.functions == (
        FunctionSpec("double", "function", 8.0),
        FunctionSpec("Scaler", "class", 7.5, ("double",), ("torch.mul",)),
        FunctionSpec("halve", "function", 4.5, ("double", "Scaler")),
    )


def test_sentences_come_in_both_languages(folder):
    texts = load(folder.path).texts
    assert texts["en"].tests["half_as_much"] == "half as much comes out"
    assert texts["ja"].mistakes["factor-wrong"].says == "係数が {factor} になっている"
    assert texts["en"].mistakes["factor-wrong"].hints == ("print the factor", "and then?")


def test_a_further_language_needs_no_code(folder):
    folder.write("text.fr.toml", (folder.path / "text.en.toml").read_text(encoding="utf-8"))
    assert set(load(folder.path).texts) == {"en", "ja", "fr"}
    folder.swap("text.fr.toml", 'halve = "half of x"\n', "")
    assert folder.faults() == ["text.fr.toml: functions.halve: sentence is missing"]


def test_source_of_reference_and_helpers_is_kept(folder):
    assignment = load(folder.path)
    assert assignment.solution == (folder.path / "solution.py").read_text(encoding="utf-8")
    assert assignment.helpers.startswith("def identity")
    folder.remove("helpers.py")
    assert load(folder.path).helpers == ""


def test_an_edit_is_a_span_of_the_reference(folder):
    assignment = load(folder.path)
    assert edited(assignment, "double-adds-two") == assignment.solution.replace("FACTOR * x", "FACTOR + x")
    (edit,) = assignment.mistakes[0].cases[0].edits
    assert assignment.solution[edit.start : edit.end] == "FACTOR * x"


def test_edits_of_a_case_apply_together(folder):
    text = edited(load(folder.path), "factor-wrong", case=1)
    assert text.endswith("        return self.factor\n\n\ndef halve(x):\n    return x\n")


def test_each_case_keeps_its_parameters(folder):
    mistake = load(folder.path).mistakes[1]
    assert [case.parameters for case in mistake.cases] == [{"factor": 3}, {"factor": "none"}]
    assert mistake.looks_like == {"double-adds-two": "at 2 both give 4"}


def test_a_case_belongs_to_the_function_of_its_first_edit(folder):
    folder.swap("mistakes.toml", "FACTOR * x", "math.sqrt(")
    folder.swap("mistakes.toml", "FACTOR + x", "math.cbrt(")
    assignment = load(folder.path)
    assert [case.function for mistake in assignment.mistakes for case in mistake.cases] == ["halve", "double", "Scaler"]


def test_a_mistakes_own_edit_is_its_first_case(folder):
    more = '[[mistake.case]]\nfind = "2.0"\nreplace = "0.5"\n\n[[mistake]]\nid = "factor-wrong"'
    folder.swap("mistakes.toml", '[[mistake]]\nid = "factor-wrong"', more)
    assignment = load(folder.path)
    assert "FACTOR + x" in edited(assignment, "double-adds-two", case=0)
    assert "FACTOR = 0.5" in edited(assignment, "double-adds-two", case=1)


def test_a_whole_function_can_be_replaced_with_its_decorators(folder):
    folder.swap("solution.py", "def double", "@staticmethod\ndef double")
    folder.swap("mistakes.toml", 'find = "FACTOR * x"', 'function = "double"')
    folder.swap("mistakes.toml", '"FACTOR + x"', '"def double(x):\\n    return x\\n"')
    assert "# 2 · x\n\n\ndef double(x):\n    return x\n\n\nclass" in edited(load(folder.path), "double-adds-two")


def test_a_retired_mistake_stays_without_an_edit(folder):
    folder.swap("mistakes.toml", 'find = "FACTOR * x"\nreplace = "FACTOR + x"', "retired = true")
    mistake = load(folder.path).mistakes[0]
    assert (mistake.id, mistake.retired, mistake.cases) == ("double-adds-two", True, ())


def test_calls_lead_to_all_that_a_function_uses(folder):
    folder.swap("solution.py", "    return math.sqrt(double(x) ** 2) / 4", "    return scaled(x) / 4")
    folder.swap("solution.py", "def halve", "def scaled(x):\n    return Scaler(2).forward(x)\n\n\ndef halve")
    calls = load(folder.path).calls
    assert calls["halve"] == ("halve", "double", "Scaler", "scaled")
    assert calls["Scaler"] == ("Scaler", "double")
    assert calls["double"] == ("double",)


def test_a_constant_made_by_a_function_leads_to_that_function(folder):
    folder.swap("solution.py", "\ndef halve(x):", "\nFOUR = double(2)\n\n\ndef halve(x):")
    folder.swap("solution.py", "math.sqrt(double(x) ** 2) / 4", "x / FOUR * 2")
    assert load(folder.path).calls["halve"] == ("halve", "double")


def test_examples_say_what_must_become_of_them(folder):
    found = [(example.kind, example.path.name, example.ids) for example in examples(folder.path)]
    assert found == [
        ("accepted", "plus.py", ()),
        ("partial", "float_only.py", ("half_as_much", "factors_scale")),
        ("mistaken", "adds.py", ("double-adds-two",)),
        ("mistaken", "both.py", ("double-adds-two", "factor-wrong")),
    ]


def test_windows_line_ends_and_byte_order_marks_change_nothing(folder):
    before = load(folder.path)
    for file in folder.path.rglob("*.*"):
        file.write_bytes(b"\xef\xbb\xbf" + file.read_bytes().replace(b"\n", b"\r\n"))
    assert load(folder.path) == before


def test_what_tools_leave_behind_is_no_fault(folder):
    folder.write("__pycache__/solution.cpython-311.pyc", b"\0")
    folder.write("accepted/__pycache__/plus.cpython-311.pyc", b"\0")
    folder.write(".DS_Store", b"\0")
    assert folder.faults() == []


def test_nothing_in_the_folder_is_run(folder):
    trap = f"\nopen({str(folder.path / 'ran')!r}, 'w')\n"
    for file in sorted(folder.path.rglob("*.py")):
        file.write_text(file.read_text(encoding="utf-8") + trap, encoding="utf-8")
    load(folder.path)
    examples(folder.path)
    assert not (folder.path / "ran").exists()


def loads_torch(code, **environment):
    command = [sys.executable, "-c", code + REPORT]
    done = subprocess.run(command, env=os.environ | environment, check=True, capture_output=True, encoding="utf-8")
    return done.stdout.strip() == "True"


def test_loading_imports_no_torch(folder):
    code = f"from pathlib import Path\nfrom autograder.content import load\nload(Path({str(folder.path)!r}))"
    assert not loads_torch(code)


def test_an_import_of_torch_would_be_seen(tmp_path):
    (tmp_path / "torch.py").write_text("", encoding="utf-8")
    assert loads_torch("import torch", PYTHONPATH=str(tmp_path))


def test_a_folder_with_many_mistakes_loads_at_once(folder):
    names = [f"double-adds-{number}" for number in range(60)]
    folder.swap("solution.py", "FACTOR * x", "FACTOR * x" + "".join(f" + 0 * {number}.5" for number in range(60)))
    tables = "".join(
        f'[[mistake]]\nid = "{name}"\nfrequency = "rare"\nsource = "{"s" * 80}"\nfind = " {number}.5"\nreplace = " 1"\n'
        for number, name in enumerate(names)
    )
    folder.write("mistakes.toml", tables + (folder.path / "mistakes.toml").read_text(encoding="utf-8"))
    for language in ("en", "ja"):
        sentences = "".join(
            f'[mistakes.{name}]\nsays = "says"\nwhy = "{"w" * 200}"\nhints = ["{"h" * 200}", "x"]\n' for name in names
        )
        text = (folder.path / f"text.{language}.toml").read_text(encoding="utf-8")
        folder.write(f"text.{language}.toml", text + sentences)
    seconds = []
    for _ in range(3):
        start = time.perf_counter()
        assert len(load(folder.path).mistakes) == 62
        seconds.append(time.perf_counter() - start)
    assert min(seconds) < 0.2  # about 0.03 s where nothing else runs
