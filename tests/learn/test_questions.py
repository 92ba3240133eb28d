"""Questions: a prediction meets the learner's own code, a choice its explanation; faults are one line each."""

import numpy as np
import pytest
import torch

from autograder.content import load
from autograder.learn import CheckFailed, lesson
from autograder.learn.answers import same
from autograder.model import ContentError

RIGHT = "The two queries are the last two positions"
WRONG = "Number the keys 0 to 3"


@pytest.fixture
def asked(kit, notebook, solutions, capsys):
    """What a cell that asks shows."""

    def run(name, cell, before=None, language="en"):
        check, ask = lesson(name, language)
        cells = notebook(check=check, ask=ask)
        cells(solutions[name] if before is None else before)
        cells(cell)
        return capsys.readouterr().out

    return run


@pytest.mark.parametrize(
    ("answer", "explained"),
    [
        ("[False, False, False, True]", RIGHT),
        ("(0, 0, 0, 1)", RIGHT),
        ("torch.tensor([0, 0, 0, 1])", RIGHT),
        ("[False, False, True, True]", WRONG),
        ("[False, True]", WRONG),
        ("'none'", WRONG),
        ("None", WRONG),
    ],
)
def test_a_prediction_meets_what_the_learners_code_gives(asked, answer, explained):
    out = asked("04_masked_softmax", f"ask('causal_mask_row', {answer})")
    assert "causal_mask(2, n_keys=4)[0] gives [False, False, False, True]" in out
    assert explained in out


HOSTILE = """
class Hostile:
    def fail(self, *_): raise RuntimeError("no")
    __repr__ = __str__ = __eq__ = __bool__ = fail
    __hash__ = None
class Loud(Exception):
    __str__ = __repr__ = Hostile.fail
ring = []
ring.append(ring)
"""


@pytest.mark.parametrize("answer", ["Hostile()", "[Hostile()]", "ring", "torch.ones(4, device='meta')", "10**5000"])
def test_any_object_may_be_the_answer_and_nothing_is_raised(asked, solutions, answer):
    before = solutions["04_masked_softmax"] + HOSTILE
    assert WRONG in asked("04_masked_softmax", f"ask('causal_mask_row', {answer})", before)


def test_an_answer_that_cannot_be_read_is_no_option(asked):
    assert "answer with one of" in asked("02_qkv_projections", "ask('qkv_shapes', Hostile())", HOSTILE)


def test_code_that_raises_what_cannot_be_shown_is_said_to_raise(asked):
    before = HOSTILE + "def causal_mask(*a, **k): raise Loud"
    assert "`causal_mask` raises Loud: " in asked("04_masked_softmax", "ask('causal_mask_row', [1])", before)


def test_a_question_without_an_answer_is_asked(asked):
    assert "Which shape does `W_K` have?" in asked("02_qkv_projections", "ask('qkv_shapes', answer=...)")
    assert "Which shape" not in asked("02_qkv_projections", "ask('qkv_shapes', 'a')")


@pytest.mark.parametrize(
    ("answer", "explained"), [("A", "✓ a: right"), ("b", "dot product"), ("c", "nn.Linear"), ("d", "7 tokens")]
)
def test_each_choice_has_its_explanation(asked, answer, explained):
    assert explained in asked("02_qkv_projections", f"ask('qkv_shapes', {answer!r})")


def test_a_letter_that_is_no_option_gets_the_options(asked):
    assert "answer with one of: a, b, c, d" in asked("02_qkv_projections", "ask('qkv_shapes', 3)")


@pytest.mark.parametrize(
    ("before", "said"),
    [
        ("", "`causal_mask` is not there yet"),
        ("def causal_mask(*a, **k): raise NotImplementedError", "`causal_mask` is not there yet"),
        ("def causal_mask(*a, **k): raise ValueError('no')", "`causal_mask` raises ValueError: no"),
    ],
)
def test_a_prediction_waits_for_the_code(asked, before, said):
    assert said in asked("04_masked_softmax", "ask('causal_mask_row', [0, 0, 0, 1])", before)


@pytest.mark.parametrize("answer", ["[0, 1, 1, 1]", "[0, 0, 0, 1]"], ids=["as the code", "as it should be"])
def test_code_that_is_wrong_judges_no_prediction(asked, answer):
    before = "def causal_mask(n, n_keys=None, device=None):\n    return torch.ones(n, n_keys or n).triu(1).bool()\n"
    out = asked("04_masked_softmax", f"ask('causal_mask_row', {answer})", "import torch\n" + before)
    assert "causal_mask: 1 of 3 visible checks pass" in out
    assert "gives [False, True, True, True]" in out
    assert RIGHT not in out
    assert WRONG not in out


def test_japanese_questions_are_in_japanese(asked):
    out = asked("04_masked_softmax", "ask('causal_mask_row', [0, 0, 1, 1])", language="ja")
    assert "違います" in out
    assert "最初のクエリ" in out


def test_an_unknown_question_is_refused(asked):
    with pytest.raises(CheckFailed, match="this lesson has no question nothing"):
        asked("04_masked_softmax", "ask('nothing', 1)")


@pytest.mark.parametrize(
    ("answer", "given", "expected"),
    [
        (0.33, 1 / 3, True),
        (0.3, 1 / 3, False),
        ([1, 2], (1, 2), True),
        ([[0.5, 0.5]], torch.full((1, 2), 0.5), True),
        (np.float32(2), 2, True),
        ((2, 3), torch.Size([2, 3]), True),
        (float("nan"), float("nan"), True),
        ([1], 1, False),
    ],
)
def test_a_prediction_may_be_written_by_hand(answer, given, expected):
    assert same(answer, given) is expected


FOLDER = {
    "assignment.toml": "version = 1\nminutes = 5\n[functions.double]\npoints = 20\n",
    "solution.py": "def double(x):\n    return 2 * x\n",
    "test_visible.py": "import pytest\n@pytest.mark.points('double', 20)\ndef test_a(agree):\n    agree.double(1)\n",
    "test_hidden.py": "",
    "mistakes.toml": "",
}
TEXT = 'title = "Twice"\n[functions]\ndouble = "twice"\n[tests]\na = "a"\n'
CHOICE = '[questions.q]\nasks = "?"\n[questions.q.options]\na = "1"\n[questions.q.explains]\na = "yes"\n'
PREDICTION = '[questions.q]\nasks = "?"\n[questions.q.explains]\nright = "yes"\nwrong = "no"\n'
GIVES = '[q]\nfunction = "double"\ngives = "double(1)"\n'


@pytest.mark.parametrize(
    ("questions", "english", "japanese", "fault"),
    [
        ("[q]\n", CHOICE, CHOICE, "questions.toml: q: needs either gives, for a prediction, or answer, for a choice"),
        ("[q]\nanswer = 1\n", CHOICE, CHOICE, "questions.toml: q.answer: expected text"),
        ("[q]\nhow = 1\n", CHOICE, CHOICE, "questions.toml: q.how: unknown key"),
        ('[q]\nanswer = "b"\n', CHOICE, CHOICE, "text.en.toml: questions.q.options: lack the answer 'b'"),
        ('[q]\nanswer = "a"\n', CHOICE, "", "text.ja.toml: questions.q: sentence is missing"),
        ("", CHOICE, CHOICE, "text.en.toml: questions.q: nothing has this name"),
        (GIVES, CHOICE, PREDICTION, "text.en.toml: questions.q.options: a prediction has none"),
        (GIVES, PREDICTION.replace("wrong", "no"), PREDICTION, "questions.q.explains.wrong: sentence is missing"),
        (GIVES.replace("double(1)", "2 +"), PREDICTION, PREDICTION, "questions.toml: q.gives: is not an expression"),
        (GIVES.replace("double(1)", "2"), PREDICTION, PREDICTION, "questions.toml: q.gives: does not use double"),
        (GIVES.replace('"double"', '"half"'), PREDICTION, PREDICTION, "q.function: unknown function 'half'"),
    ],
)
def test_a_fault_in_a_question_is_one_line(tmp_path, questions, english, japanese, fault):
    folder = tmp_path / "90_twice"
    folder.mkdir()
    files = {"questions.toml": questions, "text.en.toml": TEXT + english, "text.ja.toml": TEXT + japanese}
    for name, content in {**FOLDER, **files}.items():
        (folder / name).write_text(content, encoding="utf-8")
    with pytest.raises(ContentError) as error:
        load(folder)
    assert any(fault in line for line in error.value.faults), error.value.faults
