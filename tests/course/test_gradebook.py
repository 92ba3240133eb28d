"""The gradebook: what is written, what survives, and that no moment leaves half of anything."""

import json
import subprocess
import sys
from datetime import datetime
from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace

from autograder.course.settings import course_settings
from autograder.course.submitted import HandIn
from autograder.course.troubles import Refused
from autograder.model import ContentError, Message, Report, TestResult

pytest.importorskip("nbgrader")
from nbgrader import api
from nbgrader.apps.api import NbGraderAPI
from nbgrader.nbgraderformat import reads as nbgrader_reads

from autograder.course import gradebook, nbgrader_bridge, nbgrader_files
from autograder.course.gradebook import CourseBook, Feedback
from autograder.course.nbgrader_bridge import Attempt, Gradebook, Verdict, time_in
from autograder.course.nbgrader_files import url_of

WHO = {"assignment": "04_masked_softmax", "student": "ann"}
FULL = {"causal_mask": 3, "padding_mask": 3, "masked_softmax": 6, "masked_attention": 4, "self_attention": 4}


class Stopped(BaseException):
    """As if the machine were switched off."""


@pytest.fixture
def desk(course, tmp_path, lesson, assignment):
    return Desk(course, tmp_path, lesson, assignment)


class Desk:
    """A course, one student's notebook, and the gradebook that is opened anew for each grading."""

    def __init__(self, course, place, lesson, assignment):
        self.course, self.lesson, self.assignment = course, lesson, assignment
        self.folder = place / "submitted" / "ann" / lesson.name
        self.page = course / "autograded" / "ann" / lesson.name / "masked_softmax.ipynb"
        self.hand_in({})

    def hand_in(self, answers, **how):
        path = self.lesson.put(self.folder / "masked_softmax.ipynb", self.lesson.filled(answers))
        self.handed_in = HandIn("ann", path, self.lesson.name, self.folder, **how)

    def open(self):
        name = self.lesson.name
        return CourseBook(self.course, {name: self.assignment}, {name: self.lesson.built()})

    def grade(self, report):
        with self.open() as book:
            return book.begin([self.handed_in]) + book.record(report, feedback(report))

    def nbgrader(self):
        return api.Gradebook(f"sqlite:///{self.course / 'gradebook.db'}")

    def score(self):
        with self.nbgrader() as book:
            return book.find_submission(self.lesson.name, "ann").score

    def by_hand(self, name, score, comment=None):
        with self.nbgrader() as book:
            book.find_grade(name, "masked_softmax", self.lesson.name, "ann").manual_score = score
            if comment:
                answer = name.removeprefix("check-")
                book.find_comment(answer, "masked_softmax", self.lesson.name, "ann").manual_comment = comment
            book.db.commit()

    def grades(self):
        with self.nbgrader() as book:
            [notebook] = book.find_submission(self.lesson.name, "ann").notebooks
            return {grade.name: (grade.auto_score, grade.needs_manual_grade) for grade in notebook.grades}

    def comment(self, name):
        with self.nbgrader() as book:
            return book.find_comment(name, "masked_softmax", self.lesson.name, "ann").comment

    def shown(self):
        """The scores on the page, or None where there is no page."""
        if not self.page.is_file():
            return None
        cells = json.loads(self.page.read_text(encoding="utf-8"))["cells"]
        return sum(float(c["outputs"][0]["data"]["text/plain"]) for c in cells if c.get("outputs"))


def report(points=FULL, status="graded", findings=(), problem=None, words="passed"):
    tests = tuple(
        TestResult(
            f"{name}_works", name, "passed" if got == FULL[name] else "failed", float(got), float(FULL[name]), True
        )
        for name, got in (points if status == "graded" else {}).items()
    )
    tests = tuple(replace(test, status=words) if words != "passed" else test for test in tests)
    score = sum(test.points for test in tests)
    return Report(1, "ann", "04_masked_softmax", 1, status, score, 20.0, tests, findings, (), {}, {}, problem)


def feedback(report):
    cards = dict.fromkeys(FULL, f"<p>{report.status}</p>")
    return Feedback(cards, {"causal_mask": report.status})


HALF = FULL | {"masked_softmax": 2.5}
REPORTS_OF_NOTHING = [
    report(status="unreadable", problem=Message("not-json", {"line": 1})),
    report(status="crashed", problem=Message("crashed", {"how": "exit code 1"})),
    report(status="timeout", problem=Message("timeout")),
    report(status="out-of-memory", problem=Message("out-of-memory")),
]


# ----------------------------------------------------------------------------------------------- what is written


def test_each_check_cell_gets_the_points_of_its_functions_tests(desk):
    assert desk.grade(report(HALF)) == []
    assert {name: auto for name, (auto, _) in desk.grades().items() if name.startswith("check-")} == {
        f"check-{name}": points for name, points in HALF.items()
    }
    assert not any(needs for _, needs in desk.grades().values())
    assert (desk.score(), desk.shown()) == (16.5, 16.5)
    assert desk.comment("causal_mask") == "graded"
    assert desk.comment("padding_mask") is None


def test_the_page_is_a_notebook_that_nbgrader_reads_with_the_answers_in_it(desk, reference):
    own = "x = 1\nx"
    notebook = desk.lesson.filled(reference | {"write-both_directions": "<b>both</b> and [x](javascript:1)"})
    place = next(n for n, cell in enumerate(notebook["cells"]) if desk.lesson.id_of(cell) == "padding_mask")
    mine = {"cell_type": "code", "metadata": {"nbgrader": {}}, "source": own, "outputs": [], "execution_count": 1}
    notebook["cells"].insert(place + 1, mine)
    for cell in notebook["cells"]:
        cell["metadata"]["tags"] = ["remove-input"]
    desk.lesson.put(desk.folder / "masked_softmax.ipynb", notebook)
    desk.grade(report())
    page = nbgrader_reads(desk.page.read_text(encoding="utf-8"), as_version=4)
    sources = {desk.lesson.id_of(cell): cell.source for cell in page.cells if desk.lesson.id_of(cell)}
    assert {name: sources[name] for name in reference} == reference
    assert sources["write-both_directions"].replace("\u200b", "") == "<b>both</b> and [x](javascript:1)"
    assert "<b>" not in sources["write-both_directions"]
    after = [desk.lesson.id_of(page.cells[n - 1]) for n, cell in enumerate(page.cells) if cell.source == own]
    assert after == ["padding_mask"]
    assert not any("tags" in cell.metadata for cell in page.cells)


def test_five_megabytes_of_output_do_not_reach_the_page(desk, reference):
    notebook = desk.lesson.filled(reference)
    output = {"name": "stdout", "output_type": "stream", "text": "step 1 loss 0.5\n" * 330_000}
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            cell["outputs"] = [output]
            break
    desk.lesson.put(desk.folder / "masked_softmax.ipynb", notebook)
    assert desk.handed_in.path.stat().st_size > 5_000_000
    desk.grade(report())
    assert desk.page.stat().st_size < 100_000
    assert reference["causal_mask"].split("\n")[0] in desk.page.read_text(encoding="utf-8")


@pytest.mark.parametrize("number", [np.float32(1.5), np.float64(1.5), np.array(1.5), 1.5])
def test_a_score_is_stored_as_a_plain_number(course, lesson, number):
    release = gradebook.Release(lesson.built())
    with Gradebook(course) as book:
        book.register(lesson.name, "masked_softmax", release.marks, release.kernelspec)
        attempt = Attempt("ann", lesson.name, "x")
        book.begin(attempt)
        book.record(attempt, Verdict({"check-causal_mask": number}, {}, b"{}"))
    with api.Gradebook(f"sqlite:///{course / 'gradebook.db'}") as book:
        assert book.find_submission(lesson.name, "ann").score == 1.5


def test_what_could_not_be_judged_waits_for_people(desk):
    desk.grade(report(words="unchecked"))
    assert desk.grades()["check-causal_mask"] == (3.0, True)


def test_people_grade_answers_in_words_only_where_there_are_answers_and_points(desk, tmp_path):
    built = json.loads(desk.lesson.built().read_text(encoding="utf-8"))
    for cell in built["cells"]:
        if desk.lesson.id_of(cell) == "write-both_directions":
            cell["metadata"]["nbgrader"]["points"] = 2
    release = gradebook.Release(desk.lesson.put(tmp_path / "built.ipynb", built))
    found = gradebook.written(desk.handed_in.path)
    assert gradebook._by_hand(release, release.unanswered(found)) == {"write-both_directions": 0.0}
    assert gradebook._by_hand(release, frozenset()) == {"write-both_directions": None}
    assert gradebook._by_hand(gradebook.Release(desk.lesson.built()), frozenset()) == {"write-both_directions": 0.0}


# -------------------------------------------------------------------------------------- grading again, handing in anew


def test_a_regrade_replaces_scores_comments_and_page(desk):
    desk.grade(report(HALF))
    desk.grade(report())
    assert (desk.score(), desk.shown()) == (20, 20)
    assert desk.grades().keys() == {*(f"check-{name}" for name in FULL), "write-both_directions"}


def test_a_regrade_takes_feedback_away_that_nbgrader_would_keep(desk):
    (desk.folder / "timestamp.txt").write_text("2026-01-02 03:04:05 UTC", encoding="utf-8")
    page = desk.course / "feedback" / "ann" / desk.lesson.name / "masked_softmax.html"
    for points, said in ((HALF, "2.5 / 6.0"), (FULL, "6.0 / 6.0")):
        desk.grade(report(points))
        assert not page.parent.exists()
        NbGraderAPI(config=nbgrader_files.config_of(desk.course)).generate_feedback(desk.lesson.name)
        assert said in page.read_text(encoding="utf-8")
    other = desk.lesson.put(page.with_name("notes.txt"), "the instructor's")
    desk.grade(report(HALF))
    assert (page.exists(), other.exists()) == (False, True)


def test_marks_and_words_given_by_hand_survive_a_regrade(desk):
    desk.grade(report(HALF))
    desk.by_hand("check-masked_softmax", 5.0, "see me")
    assert desk.grade(report(FULL | {"masked_softmax": 1})) == []
    assert desk.score() == 19
    assert desk.comment("masked_softmax") == "see me"
    assert desk.grades()["check-masked_softmax"] == (1, False)


@pytest.mark.parametrize("outcome", [*REPORTS_OF_NOTHING, report(HALF)], ids=lambda one: one.status)
def test_a_new_attempt_keeps_no_old_score(desk, outcome):
    desk.grade(report())
    desk.by_hand("check-causal_mask", 3.0, "well done")
    desk.hand_in({"causal_mask": "another"})
    [note] = desk.grade(outcome)
    assert (note.id, note.with_["names"]) == ("note-taken-back", ["check-causal_mask 3"])
    assert (desk.score(), desk.shown()) == (outcome.score, outcome.score)
    assert desk.comment("causal_mask") == outcome.status


def test_a_new_attempt_that_is_never_graded_keeps_no_old_score_and_no_page(desk):
    desk.grade(report())
    desk.hand_in({"causal_mask": "another"})
    with desk.open() as book:
        book.begin([desk.handed_in])
    assert (desk.score(), desk.shown()) == (0, None)
    assert all(needs for _, needs in desk.grades().values())


def test_a_submission_that_has_vanished_keeps_no_old_score(desk):
    desk.grade(report())
    desk.handed_in = replace_problem(desk.handed_in)
    desk.grade(report(status="unreadable", problem=Message("no-notebook", {"path": "x"})))
    assert desk.score() == 0


def replace_problem(hand_in):
    from autograder.model import Note

    return HandIn(hand_in.student, hand_in.path, hand_in.assignment, hand_in.folder, problem=Note("no-notebook"))


def test_a_failure_of_ours_leaves_an_earlier_grading_of_the_same_attempt(desk):
    desk.grade(report(HALF))
    desk.grade(report(status="error", problem=Message("internal", {"text": "x"})))
    assert (desk.score(), desk.shown()) == (16.5, 16.5)


def test_a_failure_of_ours_on_a_new_attempt_is_no_zero_but_waits_for_people(desk):
    desk.grade(report(status="error", problem=Message("internal", {"text": "x"})))
    assert desk.grades()["check-causal_mask"] == (None, True)
    assert desk.comment("causal_mask") == "error"


# ------------------------------------------------------------------------------------------------ being stopped


def stop_at(monkeypatch, place, when):
    """Stops before or after something is done."""
    owner, name = place
    real = getattr(owner, name)

    def stopping(*arguments, **options):
        if when == "after":
            real(*arguments, **options)
        raise Stopped

    monkeypatch.setattr(owner, name, stopping)


MOMENTS = {
    "fill": (Gradebook, "_fill"),
    "unlink": (Path, "unlink"),
    "write": (nbgrader_bridge, "write_whole"),
    "replace": (Path, "replace"),
    "give": (nbgrader_bridge, "_give"),
}


@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize("moment", MOMENTS)
def test_whenever_grading_stops_scores_and_page_agree_or_the_page_is_missing(desk, monkeypatch, moment, when):
    desk.grade(report(HALF))
    with monkeypatch.context() as patched:
        stop_at(patched, MOMENTS[moment], when)
        with pytest.raises(Stopped):
            desk.grade(report())
    assert desk.score() in (16.5, 20)
    assert desk.shown() in (desk.score(), None)
    desk.grade(report())
    assert (desk.score(), desk.shown()) == (20, 20)


@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize("moment", ["fill", "unlink"])
def test_whenever_a_new_attempt_begins_and_stops_it_ends_as_an_undisturbed_one(desk, monkeypatch, moment, when):
    desk.grade(report(HALF))
    desk.by_hand("check-causal_mask", 3.0)
    desk.hand_in({"causal_mask": "another"})
    with monkeypatch.context() as patched:
        stop_at(patched, MOMENTS[moment], when)
        with pytest.raises(Stopped):
            desk.grade(report())
    assert desk.shown() in (desk.score(), None)
    desk.grade(report(FULL | {"causal_mask": 1}))
    assert (desk.score(), desk.shown()) == (18, 18)


KILLED = """
import os, signal, sys
from autograder.course import nbgrader_bridge
from sqlalchemy.orm import scoped_session
sys.path.insert(0, {tests!r})
real = scoped_session.commit
def commit(self):
    if os.environ.get("NOW"):
        self.flush()
        os.kill(os.getpid(), signal.SIGKILL)
    real(self)
scoped_session.commit = commit
from pathlib import Path
from autograder.course.nbgrader_bridge import Attempt, Gradebook, Verdict
with Gradebook(Path({course!r})) as book:
    book._names["04_masked_softmax"] = "masked_softmax"
    os.environ["NOW"] = "1"
    book.record(Attempt("ann", "04_masked_softmax", "x"), Verdict({{"check-causal_mask": 0.0}}, {{}}, b"new"))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGKILL here")
def test_a_killed_process_leaves_the_old_scores(desk):
    desk.grade(report(HALF))
    script = KILLED.format(tests=str(Path(__file__).parent), course=str(desk.course))
    done = subprocess.run([sys.executable, "-c", script], check=False, cwd=Path(__file__).parents[2], timeout=60)
    assert done.returncode == -9
    assert (desk.score(), desk.shown()) in ((16.5, None), (16.5, 16.5))
    assert desk.grades()["check-causal_mask"] == (3, False)


def test_a_database_that_another_writer_holds_costs_one_note(desk, monkeypatch):
    monkeypatch.setattr(nbgrader_files, "_PATIENCE", "0.1")
    desk.grade(report(HALF))
    with desk.open() as book:
        book.begin([desk.handed_in])
        with desk.nbgrader() as other:
            other.db.add(api.Student(id="bo"))
            other.db.flush()
            [note] = book.record(report(), feedback(report()))
        assert (note.id, "locked" in note.with_["text"]) == ("note-not-recorded", True)
        assert (desk.score(), desk.shown()) == (16.5, 16.5)
        assert book.record(report(), feedback(report())) == []
    assert desk.score() == 20


# ---------------------------------------------------------------------------------------- the course as nbgrader has it


@pytest.mark.parametrize("url", ["sqlite:///other.db", "sqlite:///{course}/other.db"])
def test_the_database_that_the_config_names_is_used(desk, url):
    config = f"c = get_config()\nc.CourseDirectory.db_url = {url.format(course=desk.course)!r}\n"
    (desk.course / "nbgrader_config.py").write_text(config, encoding="utf-8")
    (desk.course / "gradebook.db").rename(desk.course / "other.db")
    desk.grade(report())
    (desk.course / "other.db").rename(desk.course / "gradebook.db")
    assert desk.score() == 20


def test_another_folder_for_pages_is_respected(desk):
    config = 'c = get_config()\nc.CourseDirectory.autograded_directory = "graded"\n'
    (desk.course / "nbgrader_config.py").write_text(config, encoding="utf-8")
    desk.grade(report())
    assert (desk.course / "graded" / "ann" / desk.lesson.name / "masked_softmax.ipynb").is_file()


def test_what_is_no_sqlite_file_is_left_to_sqlalchemy():
    from types import SimpleNamespace

    assert url_of(SimpleNamespace(db_url="postgresql://u:p@h/db", root="r")) == "postgresql://u:p@h/db"


@pytest.mark.parametrize(
    "content", ["this is no Python", "1 / 0", "c = get_config()\nc.CourseDirectory.db_url = 'nonsense'"]
)
def test_a_config_that_cannot_be_used_is_one_clear_line(desk, content):
    (desk.course / "nbgrader_config.py").write_text(content, encoding="utf-8")
    with pytest.raises(Refused, match=r"cannot open the gradebook of .*course: \w+Error") as refused:
        desk.open()
    assert "\n" not in str(refused.value)


def test_a_new_gradebook_is_made_whole_even_where_alembic_is_not_on_the_path(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    with Gradebook(tmp_path):
        pass
    assert [path.name for path in tmp_path.iterdir()] == ["gradebook.db"]
    with api.Gradebook(f"sqlite:///{tmp_path / 'gradebook.db'}") as book:
        assert book.students == []


def test_cells_that_an_instructor_has_added_are_left_to_the_instructor(desk):
    with desk.open():
        pass
    with desk.nbgrader() as book:
        book.add_grade_cell("essay", "masked_softmax", desk.lesson.name, max_score=5, cell_type="markdown")
    desk.grade(report())
    assert desk.grades()["essay"] == (None, True)
    desk.by_hand("essay", 4.0)
    desk.grade(report())
    assert desk.score() == 24


def test_an_assignment_that_nbgrader_made_is_filled_in_its_own_notebook(desk):
    with desk.nbgrader() as book:
        book.add_assignment(desk.lesson.name)
        book.add_notebook("masked_softmax.ja", desk.lesson.name)
    desk.grade(report())
    assert desk.score() == 20
    assert (desk.page.parent / "masked_softmax.ja.ipynb").is_file()


def test_a_timestamp_decides_lateness_and_the_courses_own_rule_what_it_costs(desk):
    config = 'c = get_config()\nc.LateSubmissionPlugin.penalty_method = "zero"\n'
    (desk.course / "nbgrader_config.py").write_text(config, encoding="utf-8")
    with desk.nbgrader() as book:
        book.add_assignment(desk.lesson.name, duedate=datetime(2026, 1, 1))  # noqa: DTZ001 - as nbgrader keeps it
    for stamp, penalty in (("2026-01-01 09:00:00 Asia/Tokyo", None), ("2026-01-01 10:00:00 Asia/Tokyo", 16.5)):
        (desk.folder / "timestamp.txt").write_text(stamp, encoding="utf-8")
        desk.grade(report(HALF))
        with desk.nbgrader() as book:
            [notebook] = book.find_submission(desk.lesson.name, "ann").notebooks
            assert notebook.late_submission_penalty == penalty
    assert desk.page.with_name("timestamp.txt").read_text(encoding="utf-8") == "2026-01-01 01:00:00 UTC"


@pytest.mark.parametrize("text", ["", "yesterday", "9" * 5000, "\0", "2026-99-99"])
def test_a_timestamp_that_is_none_is_noted_and_costs_nothing(desk, text):
    (desk.folder / "timestamp.txt").write_text(text, encoding="utf-8")
    assert [note.id for note in desk.grade(report())] == ["note-timestamp"]
    assert desk.score() == 20
    assert time_in("2026-01-01 00:00:00 UTC") == datetime(2026, 1, 1)  # noqa: DTZ001 - as nbgrader keeps it


@pytest.mark.parametrize("student", ["..", "a/b", "x" * 200, "ann"])
def test_every_student_gets_a_folder_of_their_own_inside_the_course(desk, student):
    one = HandIn(student, desk.handed_in.path, desk.lesson.name)
    with desk.open() as book:
        book.begin([one])
        book.record(replace(report(), student=student), feedback(report()))
    [folder] = (desk.course / "autograded").iterdir()
    assert (folder.name == student) == (student == "ann")


# ------------------------------------------------------------------------------------------------- settings and faults


@pytest.mark.parametrize(("text", "language"), [("", "en"), ('language = "ja"', "ja")])
def test_a_course_has_a_language(course, text, language):
    (course / "course.toml").write_text(text, encoding="utf-8")
    assert course_settings(course).language == language


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ('langage = "ja"', "course/course.toml: langage: unknown key"),
        ('language = "fr"', "course/course.toml: language: expected one of 'en', 'ja', got 'fr'"),
        ("language =", "course/course.toml: is not TOML: "),
    ],
)
def test_a_fault_in_course_toml_is_one_clear_line(course, text, fault):
    (course / "course.toml").write_text(text, encoding="utf-8")
    with pytest.raises(ContentError) as raised:
        course_settings(course)
    assert str(raised.value).startswith(fault)
    assert "\n" not in str(raised.value)


def test_a_notebook_that_is_stale_is_refused(desk, tmp_path):
    built = (
        desk.lesson.built()
        .read_text(encoding="utf-8")
        .replace('"points": 6.0', '"points": 5.0')
        .replace('"points": 6,', '"points": 5,')
    )
    stale = desk.lesson.put(tmp_path / "stale.ipynb", built)
    with pytest.raises(ContentError, match="build it again"):
        CourseBook(desk.course, {desk.lesson.name: desk.assignment}, {desk.lesson.name: stale})


def test_a_row_that_cannot_be_written_is_an_error_of_one_submission(desk, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(nbgrader_bridge, "write_whole", full)
    [note] = desk.grade(report())
    assert note.with_["text"].endswith("No space left on device")


# ------------------------------------------------------------------------------------------ files nobody should hand in


def own_cell_after(desk, grade_id, source="x = 1"):
    built = desk.lesson.filled({})
    marks = {"grade_id": grade_id, "solution": False, "locked": True, "grade": False}
    built["cells"] += [
        {"cell_type": "code", "metadata": {"nbgrader": marks}, "source": source},
        *[{"cell_type": "code", "metadata": {}, "source": source}] * 50,
    ]
    desk.folder.joinpath("masked_softmax.ipynb").write_text(json.dumps(built), encoding="utf-8")


def test_half_a_character_in_a_name_is_recorded_all_the_same(desk):
    own_cell_after(desk, "\ud800")
    assert desk.grade(report()) == []
    assert (desk.score(), desk.shown()) == (20, 20)


def test_a_long_name_is_not_repeated_with_every_cell(desk):
    own_cell_after(desk, "m" * 1_000_000)
    assert desk.grade(report()) == []
    assert desk.page.stat().st_size < 200_000


def test_students_whose_names_no_gradebook_holds_get_rows_of_their_own_in_every_run(desk):
    """Also one who is called like another's id; each is graded alone, so that no run knows of the others."""
    names = ["x" * 129, "x" * 130, "..", "a/b", "a_b", "\U00020000" * 100]
    ids, seen = {}, set()
    for _ in range(2):
        for name in names:
            with desk.open() as book:
                assert book.begin([HandIn(name, desk.handed_in.path, desk.lesson.name)]) == []
            with desk.nbgrader() as book:
                ids[name] = [student.id for student in book.students if student.id not in seen]
            seen |= {*ids[name]}
        names = [id_ for own in ids.values() for id_ in own if id_ not in names]
    assert [len(own) for own in ids.values()] == [1] * len(ids)
    assert ids["a_b"] == ["a_b"]
    assert max(len(id_.encode()) for own in ids.values() for id_ in own) <= 255


@pytest.mark.parametrize("step", ["_content", "written"])
def test_what_goes_wrong_with_one_student_is_noted_and_stops_no_other(desk, monkeypatch, step):
    bo = HandIn("bo", desk.handed_in.path.with_name("bo.ipynb"), desk.lesson.name)
    works = getattr(gradebook, step)

    def fails_for_bo(asked):
        if getattr(asked, "path", asked) == bo.path:
            raise RecursionError("too deep")
        return works(asked)

    monkeypatch.setattr(gradebook, step, fails_for_bo)
    with desk.open() as book:
        notes = book.begin([bo, desk.handed_in])
        for student in ("bo", "ann"):
            notes += book.record(replace(report(), student=student), feedback(report()))
    assert [(note.id, note.with_["student"], note.with_["text"]) for note in notes] == [
        ("note-not-recorded", "bo", "RecursionError: too deep")
    ]
    assert desk.score() == 20


@pytest.mark.parametrize("error", [KeyboardInterrupt, ContentError, Refused])
def test_what_is_not_the_files_doing_goes_through(desk, monkeypatch, error):
    def fails(*_):
        raise error("usage-no-nbgrader")

    monkeypatch.setattr(gradebook, "written", fails)
    with desk.open() as book:
        book.begin([desk.handed_in])
        with pytest.raises(error):
            book.record(report(), feedback(report()))
