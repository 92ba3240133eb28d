"""`attn prove` finds what does not hold of an assignment."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from autograder.prove import prove


@pytest.fixture
def proof(folder: Path) -> Callable[..., dict[str, Any]]:
    """Proves the assignment, after changes to its files."""

    def proved(**changes: tuple[str, str]) -> dict[str, Any]:
        for name, (find, replacement) in changes.items():
            path = folder / name.replace("__", ".")
            text = path.read_text(encoding="utf-8")
            assert find in text
            path.write_text(text.replace(find, replacement), encoding="utf-8")
        return prove(folder, seeds=2)

    return proved


def write(folder: Path, kind: str, name: str, text: str) -> None:
    (folder / kind).mkdir(exist_ok=True)
    (folder / kind / name).write_text(text, encoding="utf-8")


def test_all_holds_of_a_good_assignment(folder: Path, proof: Callable[..., dict[str, Any]]) -> None:
    solution = (folder / "solution.py").read_text(encoding="utf-8")
    write(folder, "accepted", "same.py", "# accepted: the same again\n" + solution)
    wrong = solution.replace("return x + b", "return -(b - x)")
    write(folder, "mistaken", "minus.py", "# mistakes: shift-wrong-amount\n" + wrong)
    nothing = solution.replace("return x.sum(), x.amax()", "return None")
    write(folder, "partial", "nothing.py", "# may lose: test_both_parts_come_back\n" + nothing)
    figures = proof()
    assert figures["faults"] == []
    assert (figures["mistakes"], figures["caught"], figures["named"], figures["caught_without_entry"]) == (5, 5, 5, 4)
    # Doubling b inside `line` is what a wrong `shift` written out there would do.
    assert figures["blamed_without_entry"] == ["line-amount-doubled, case 1: shift-wrong-amount"]
    assert figures["pairs_named"] == figures["pairs_told_apart"] > 0
    assert (figures["accepted_passing"], figures["partial_as_stated"], figures["mistaken_named"]) == (1, 1, 1)
    assert (figures["seeds"], figures["seeds_rejections"]) == (2, 0)


def test_a_mistake_that_no_test_catches_is_found(proof: Callable[..., dict[str, Any]]) -> None:
    figures = proof(mistakes__toml=("return x * a * a ", "return x * a * 1 "))
    assert "scale-squared, case 1: no test fails" in figures["faults"]


def test_a_right_answer_that_fails_is_found(folder: Path, proof: Callable[..., dict[str, Any]]) -> None:
    solution = (folder / "solution.py").read_text(encoding="utf-8")
    write(folder, "accepted", "doubled.py", "# accepted: not really\n" + solution.replace("return x + b", "return x"))
    (fault, *_) = proof()["faults"]
    assert fault.startswith("accepted/doubled.py: numbers_are_shifted is failed")


def test_a_wrong_answer_named_otherwise_is_found(folder: Path, proof: Callable[..., dict[str, Any]]) -> None:
    solution = (folder / "solution.py").read_text(encoding="utf-8")
    write(folder, "mistaken", "it.py", "# mistakes: scale-squared\n" + solution.replace("return x + b", "return x - b"))
    figures = proof()
    assert figures["mistaken_wrongly_named"] == 1
    assert figures["faults"] == ["mistaken/it.py: shift-wrong-amount {'amount': 'minus'}, not scale-squared"]


def test_a_partial_answer_that_loses_more_is_found(folder: Path, proof: Callable[..., dict[str, Any]]) -> None:
    solution = (folder / "solution.py").read_text(encoding="utf-8")
    unshifted = solution.replace("return x + b", "return x")
    write(folder, "partial", "it.py", "# may lose: test_both_parts_come_back\n" + unshifted)
    assert proof()["faults"] == ["partial/it.py: also loses lines_are_straight, numbers_are_shifted"]


def test_an_unwritten_file_that_passes_something_is_found(proof: Callable[..., dict[str, Any]]) -> None:
    asks_nothing = (
        "    scaled = student.scale(make.tensor(4) * 0, make.tensor(1))\n    assert (scaled == 0).all()",
        "    assert student",
    )
    assert proof(test_visible__py=asks_nothing)["faults"] == ["an unwritten file passes zero_stays_zero"]


def test_a_right_answer_that_fails_on_large_inputs_is_found(folder: Path, proof: Callable[..., dict[str, Any]]) -> None:
    solution = (folder / "solution.py").read_text(encoding="utf-8")
    clamped = solution.replace("return x + b", "return (x + b).clamp(-10, 10)")
    write(folder, "accepted", "clamped.py", "# accepted: for moderate numbers only\n" + clamped)
    figures = proof()
    assert figures["accepted_passing"] == 1
    assert figures["seeds_rejections"] == 2
    assert figures["faults"] == [
        f"accepted/clamped.py: loses lines_are_straight, numbers_are_shifted under seed {seed}, inputs times 12"
        for seed in (0, 1)
    ]


def test_a_call_that_would_tell_twins_apart_is_suggested(folder: Path, proof: Callable[..., dict[str, Any]]) -> None:
    """Two mistakes that show beyond 100 and nowhere nearer: no recorded call knows, one with larger numbers does."""
    texts = "".join(f'[mistakes.{i}]\nsays = "{i}"\nwhy = "Because. So."\nhints = ["try"]\n' for i in ("far", "off"))
    for language in ("en", "ja"):
        path = folder / f"text.{language}.toml"
        path.write_text(path.read_text(encoding="utf-8") + texts, encoding="utf-8")
    entries = "".join(
        f"""
[[mistake]]
id = "{name}"
frequency = "rare"
source = "made for this test"
looks_like = {{ {other} = "no call can tell" }}
find = "return x + b"
replace = "return (x - b).clamp(max={limit})"
"""
        for name, other, limit in (("far", "off", "50.0"), ("off", "far", "60.0"))
    )
    path = folder / "mistakes.toml"
    path.write_text(path.read_text(encoding="utf-8") + entries, encoding="utf-8")
    (line,) = proof()["separations"]
    assert line == "far and off: shift(tensor (5,), tensor (1,)), argument 0 times 1000"
