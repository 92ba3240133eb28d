"""Every sentence of the engine, shown in both languages, and nothing from a submission that could act on a terminal."""

import tomllib
from pathlib import Path

import pytest

from autograder.messages import clean, parameters_of, say, sentences
from autograder.model import LANGUAGES

SHOWN = tomllib.loads(Path(__file__).with_name("shown.toml").read_text(encoding="utf-8"))

FINDINGS = (
    "values value shape dtype device type length nonfinite changed gradient-missing gradient grad-error raised"
    " not-raised wrong-error missing unwritten timeout crashed out-of-memory tampered off-limits timeout-test"
    " timeout-total timeout-again timeout-call-cpu timeout-test-cpu timeout-total-cpu crashed-files crashed-file-bytes"
    " crashed-disk raised-threads raised-open-files"
    " raised-file-size raised-refused out-of-memory-claim memory-unchecked out-of-memory-answer out-of-memory-answers"
    " timeout-callbacks out-of-memory-callback-bytes"
).split()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("id_", SHOWN)
def test_a_sentence_reads_as_shown(id_, language):
    assert say(id_, language, **SHOWN[id_].get("with", {})) == SHOWN[id_][language]


def test_every_sentence_is_shown():
    assert set(SHOWN) == set(sentences("en"))


def test_the_languages_say_the_same_things():
    assert list(sentences("ja")) == list(sentences("en"))
    for id_, sentence in sentences("en").items():
        assert sorted(parameters_of(sentences("ja")[id_])) == sorted(parameters_of(sentence)), id_


@pytest.mark.parametrize("id_", FINDINGS)
def test_what_code_does_is_said_in_a_dozen_words_without_capital_or_full_stop(id_):
    first = SHOWN[id_]["en"].splitlines()[0]
    assert len(first.split()) <= 12
    assert first[0] == "`" or first[0].islower()
    assert not first.endswith(".")


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_unknown_id_is_an_error(language):
    with pytest.raises(LookupError, match="no message 'no-such-id'"):
        say("no-such-id", language)


def test_an_unknown_language_is_an_error():
    with pytest.raises(LookupError, match="no language 'fr'; there is: en, ja"):
        say("passes", "fr")


def test_a_first_line_without_its_value_is_an_error():
    with pytest.raises(LookupError, match="'changed' needs argument"):
        say("changed", "en")


def test_a_further_line_without_its_value_is_left_out():
    assert say("shape", "en", path="", expected="", yours="(2,)") == "the result has another shape\nyours    (2,)"
    assert say("raised", "en", type_name="KeyError", text="'x'", line=0, code="", file="") == "raises KeyError: 'x'"


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_limit_that_ended_a_call_has_its_own_sentence(language):
    assert say("timeout", language, limit="test", most=10.0) == say("timeout-test", language, most=10.0)
    assert say("timeout", language, limit="call", most=3.0) == say("timeout", language, most=3.0)
    assert say("timeout", language, limit="no-such-limit") == say("timeout", language)


def test_a_number_that_stands_nowhere_has_no_place():
    assert say("values", "en", path="", where="", expected="3", yours="4").startswith("the result has another value\n")


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (0.123456, "0.123"),
        (12.0, "12"),
        (float("nan"), "nan"),
        (float("-inf"), "-inf"),
        ((2, 3), "(2, 3)"),
        ([5], "(5,)"),
    ],
)
def test_numbers_have_three_digits_and_shapes_parentheses(value, shown):
    assert say("length", "en", path="", expected=value, yours="").splitlines()[1] == f"expected {shown}"


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("\x1b[31mred\x1b[0m", "red"),
        ("\x9b31mred", "red"),
        ("\x1b]0;title\x07name", "name"),
        ("\x1b]8;;http://example.com\x1b\\name", "name"),
        ("a\x00b\x07c\x7fd\x85e", "abcd e"),
        ("\u202edetrever\u202c", "detrever"),
        ("zero\u200bwidth\ufeff", "zerowidth"),
        ("two\nlines\r\n\tand a tab", "two lines and a tab"),
        ("注意機構 é", "注意機構 é"),
        ("half \ud800 pair", "half pair"),
        ("zoe\u2800\u280020\u3164of\u115f20\uffa0", "zoe??20?of?20?"),
        ("[bold]markup[/bold]", "[bold]markup[/bold]"),
    ],
)
def test_text_from_a_submission_is_one_harmless_line(written, shown):
    assert clean(written) == shown
    assert say("internal", "en", text=written) == f"the grader failed here, not your code: {shown}"


def test_a_long_text_is_cut():
    assert clean("a" * 10_000_000, longest=10) == "aaaaaaaaa…"
