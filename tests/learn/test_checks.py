"""`check` in a notebook: what passes, one finding, one short line where a test fails."""

import contextlib
import time

import pytest

from autograder.learn import CheckFailed, lesson
from autograder.learn import lessons as lessons_module
from autograder.model import ContentError

NAME = "04_masked_softmax"
REVERSED = """
def causal_mask(n, n_keys=None, device=None):
    return torch.ones(n, n_keys or n).tril(-1).bool()
"""
LONGEST = 0.5  # seconds: 0.15 is the aim on a machine that does nothing else


@pytest.fixture
def learner(kit, notebook, solutions):
    """A notebook with a lesson's cells run."""

    def opened(name=NAME, language="en", *, written=True):
        check, ask = lesson(name, language)
        run = notebook(check=check, ask=ask)
        if written:
            run(solutions[name])
        return run

    return opened


def said(run, cell, capsys):
    """What a cell that fails shows, and its one line."""
    with pytest.raises(CheckFailed) as failed:
        run(cell)
    return capsys.readouterr().out, str(failed.value)


def test_what_is_right_passes_and_nothing_reaches_stderr(learner, capsys):
    run = learner()
    run("import warnings\nright = causal_mask")
    run("def causal_mask(*a, **k):\n    warnings.warn('loud')\n    return right(*a, **k)")
    run("check(causal_mask)")
    out, err = capsys.readouterr()
    assert out.startswith("causal_mask: 3 of 3 visible checks pass\n  ✓ ")
    assert err == ""


def test_a_mistake_is_named_with_both_results_and_a_hint(learner, capsys):
    out, line = said(learner(), REVERSED + "check(causal_mask)", capsys)
    assert line == "causal_mask: 0 of 3 visible checks pass"
    assert "the causal mask hides the past and shows the future" in out
    assert "expected" in out
    assert "yours" in out
    assert "    hint: " in out


HIDDEN_LATE = """
def masked_softmax(scores, mask=None):
    weights = scores.softmax(-1)
    return weights if mask is None else weights.masked_fill(mask, 0.0)
"""
UNEXPLAINED = """
def masked_softmax(scores, mask=None):
    return torch.sin(scores * 3)
"""


@pytest.mark.parametrize("wrong", [HIDDEN_LATE, UNEXPLAINED], ids=["named", "unnamed"])
def test_numbers_are_told_by_the_results_alone_where_those_are_shown_whole(learner, capsys, wrong):
    """The first failing test may be about another call than the smallest one: its place would be wrong here."""
    out, _ = said(learner(), wrong + "check(masked_softmax)", capsys)
    assert "difference" in out
    assert "has another value" not in out


def test_a_notebook_shows_one_line_and_no_traceback():
    assert CheckFailed("one line")._render_traceback_() == ["one line"]


def test_japanese_is_spoken_where_it_is_asked_for(learner, capsys):
    out, line = said(learner(language="ja"), REVERSED + "check(causal_mask)", capsys)
    assert line == "causal_mask: 公開テスト 3 個中 0 個に合格"
    assert "期待する値" in out
    assert "ヒント: " in out


def test_what_was_defined_again_is_not_checked(learner, capsys):
    run = learner()
    run("old = causal_mask\ndef causal_mask(*a, **k): raise ValueError")
    out, line = said(run, "check(old)", capsys)
    assert (out, line.startswith("`causal_mask` is no longer what you hand over")) == ("", True)


@pytest.mark.parametrize("what", ["'causal_mask'", "len", "None", "lambda: 0", "check"])
def test_only_what_the_lesson_asks_for_is_checked(learner, capsys, what):
    _, line = said(learner(), f"check({what})", capsys)
    assert line.startswith("check takes a function or class of this lesson: causal_mask, padding_mask")


@pytest.mark.parametrize("way", ["lambda *a, **k: right(*a, **k)", "partial(right)", "Called()"])
def test_what_stands_under_the_name_is_checked_whatever_it_calls_itself(learner, capsys, way):
    run = learner()
    run("from functools import partial\nright = causal_mask")
    run("class Called:\n    def __call__(self, *a, **k): return right(*a, **k)")
    run(f"causal_mask = {way}\ncheck(causal_mask)")
    assert capsys.readouterr().out.startswith("causal_mask: 3 of 3 visible checks pass")


def test_a_check_that_the_learner_stops_is_stopped(learner):
    with pytest.raises(KeyboardInterrupt):
        learner()("def causal_mask(*a, **k): raise KeyboardInterrupt\ncheck(causal_mask)")


def test_objects_that_refuse_every_question_disturb_no_check(learner, capsys):
    run = learner()
    run("class Proxy:\n    def __getattribute__(self, name): raise RuntimeError('not now')\nproxy = Proxy()")
    run("check(causal_mask)")
    assert capsys.readouterr().out.startswith("causal_mask: 3 of 3 visible checks pass")


def test_an_unwritten_function_is_said_to_be_unwritten(learner, capsys):
    run = learner(written=False)
    out, _ = said(run, "def causal_mask(n, n_keys=None): raise NotImplementedError\ncheck(causal_mask)", capsys)
    assert "`causal_mask` is not written yet" in out


def test_an_exception_is_told_with_the_line_that_raised_it(kit, tmp_path, capsys, monkeypatch):
    script = tmp_path / "mine.py"
    script.write_text("def causal_mask(n, n_keys=None, device=None):\n    return n + nothing\n", encoding="utf-8")
    check, _ = lesson(NAME)
    space = {"__name__": "__main__", "__file__": str(script), "check": check}
    exec(compile(script.read_text(encoding="utf-8"), str(script), "exec"), space)
    with pytest.raises(CheckFailed):
        exec("check(causal_mask)", space)
    out = capsys.readouterr().out
    assert "raises NameError: name 'nothing' is not defined" in out


def test_a_class_is_checked(learner, capsys):
    run = learner("02_qkv_projections")
    run("check(QKVProjection)")
    assert "QKVProjection: 2 of 2 visible checks pass" in capsys.readouterr().out
    wrong = "class QKVProjection(nn.Module):\n    def __init__(self, a, b, c):\n        super().__init__()\n"
    said(run, f"from torch import nn\n{wrong}check(QKVProjection)", capsys)


def test_a_test_file_that_came_with_a_new_pack_is_read_afresh(learner, kit, capsys):
    from autograder.learn.pack import digest

    run = learner()
    run("check(padding_mask)")
    folder = kit / "assignments" / NAME
    tests, pack = folder / "test_visible.py", folder / "pack.json"
    old = digest(tests)
    text = tests.read_text(encoding="utf-8")
    tests.write_text(text.replace('points("padding_mask", 1.5)', 'points("causal_mask", 1.5)'), encoding="utf-8")
    pack.write_text(pack.read_text(encoding="utf-8").replace(old, digest(tests)), encoding="utf-8")
    capsys.readouterr()
    run("check(causal_mask)")
    assert "causal_mask: 4 of 4 visible checks pass" in capsys.readouterr().out


def test_a_file_that_is_missing_is_said_to_be(learner, kit):
    run = learner()
    (kit / "assignments" / NAME / "test_visible.py").unlink()
    with pytest.raises(ContentError, match=r"test_visible\.py: is missing"):
        run("check(causal_mask)")
    with pytest.raises(ContentError, match=r"test_visible\.py: is missing"):
        lesson(NAME)


def test_what_the_learners_code_says_is_shown_as_text(learner, monkeypatch):
    cards = []
    monkeypatch.setattr(lessons_module, "show", cards.append)
    run = learner()
    with pytest.raises(CheckFailed):
        run("def causal_mask(*a, **k): raise ValueError('<script>alert(1)</script>\\x1b[31m')\ncheck(causal_mask)")
    html = cards[0]._repr_html_()
    assert "&lt;script&gt;" in html
    assert "<script" not in html
    assert "\x1b" not in html + repr(cards[0])


@pytest.mark.parametrize("name", ["02_qkv_projections", NAME])
def test_a_check_answers_at_once(learner, solutions, name):
    """Each function right, and each wrong in a way that no mistake explains: every pair is tried for that."""
    run = learner(name)
    names = [spec for spec in lesson(name)[0]._names if spec != "QKVProjection"]
    for function in names:
        run(f"check({function})")
        assert min(timed(run, f"check({function})") for _ in range(3)) < LONGEST, function
    for function in names:
        run(f"kept = {function}\ndef {function}(*a, **k):\n    return spoilt(kept(*a, **k))\n")
        run(
            "def spoilt(r):\n    return tuple(map(spoilt, r)) if isinstance(r, tuple) else r.double().cos().to(r.dtype)"
        )
        with pytest.raises(CheckFailed):
            run(f"check({function})")
        assert min(timed(run, f"check({function})") for _ in range(3)) < LONGEST, function
        run(f"{function} = kept")


def timed(run, cell):
    start = time.perf_counter()
    with contextlib.suppress(CheckFailed):
        run(cell)
    return time.perf_counter() - start
