"""Every attack of the corpus, graded as one class beside ten honest submissions, at each level of the sandbox."""

import functools
from collections import Counter

import pytest
from corpus import ATTACKS, HONEST, LOOPS, attacks_at, grade_attacks, grade_honest, kind, said, scale_status, touched

from autograder.messages import say
from autograder.sandbox.host import Limits
from autograder.sandbox.limits import CONTAINED, FULL, LEVELS, LIMITS_ONLY

CASES = [(level, attack) for level in LEVELS for attack in attacks_at(level)]
AT_EACH = pytest.mark.parametrize(("level", "attack"), CASES, ids=lambda one: getattr(one, "stem", one))
LEVEL = pytest.mark.parametrize("level", LEVELS)
# Without a filter of system calls, only what harms nobody but itself.
HARMLESS = {"error", "exit", "files", "forge", "loop", "memory", "output", "patch", "result", "walk"}
KINDS = HARMLESS | {"kill", "network", "process", "read", "write"}


@pytest.fixture(scope="module")
def at_level(assignment, tmp_path_factory):
    """Grades the class of a level, once."""
    return functools.cache(lambda level: grade_attacks(level, assignment, tmp_path_factory.mktemp("attacks")))


@pytest.fixture
def graded(at_level, level):
    return at_level(level) or pytest.skip(f"no sandbox of the level {level} here")


@AT_EACH
def test_an_attack_ends_as_it_says(graded, level, attack):
    report = graded.reports[attack.stem]
    assert said(attack)[level].allows(report), (report.status, report.score, scale_status(report), report.tests)


@AT_EACH
def test_each_gets_a_report_with_a_sentence_for_all_that_failed(graded, level, attack):
    report = graded.reports[attack.stem]
    messages = [test.message for test in report.tests if test.status not in ("passed", "missing", "skipped")]
    assert None not in messages
    for message in [*messages, *([report.problem] if report.problem else [])]:
        for language in ("en", "ja"):
            sentence = say(message.id, language, **message.with_)
            assert sentence.replace("\n", "").isprintable()
    assert report.sandbox["level"] == level


@pytest.fixture(scope="module")
def alone(assignment):
    return grade_honest(assignment)


@LEVEL
def test_honest_grades_are_what_they_are_without_them(graded, level, alone):
    assert touched(graded.reports, alone) == []


@LEVEL
def test_everybody_has_a_report_and_a_file(graded, level):
    assert len(graded.reports) == graded.written == len(attacks_at(level)) + len(HONEST)
    assert not [report for report in graded.reports.values() if report.status == "error"]


@LEVEL
def test_nothing_is_left_behind(graded, level):
    assert graded.left == []


@LEVEL
def test_it_takes_seconds_each_and_not_minutes(graded, level):
    assert graded.seconds < 2 * len(graded.reports)


def test_a_class_of_endless_loops_costs_seconds_each_at_the_limits_that_hold_for_everybody(assignment, tmp_path):
    graded = grade_attacks(FULL, assignment, tmp_path, LOOPS, Limits())
    if graded is None:
        pytest.skip("no full sandbox here")
    assert {scale_status(graded.reports[attack.stem]) for attack in LOOPS} <= {"timeout", None}  # None: while loading
    assert {graded.reports[attack.stem].status for attack in LOOPS} == {"graded", "timeout"}
    assert graded.seconds < 10 * len(LOOPS)
    assert graded.left == []


def test_there_are_enough_of_them():
    assert len(ATTACKS) >= 170
    assert len(HONEST) == 10
    assert {kind(attack) for attack in ATTACKS} == KINDS
    assert min(Counter(map(kind, ATTACKS)).values()) >= 3


def test_all_are_tried_where_the_level_claims_to_stop_them_and_only_the_harmless_elsewhere():
    assert attacks_at(FULL) == attacks_at(CONTAINED) == ATTACKS
    assert attacks_at(LIMITS_ONLY) == [attack for attack in ATTACKS if kind(attack) in HARMLESS]


def test_only_what_is_read_gains_points_and_only_where_files_can_be_read():
    for attack in ATTACKS:
        endings = said(attack)
        assert endings[FULL].points == endings[CONTAINED].points or kind(attack) == "read"
