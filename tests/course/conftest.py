"""Notebooks as learners fill them in, and courses with an nbgrader gradebook."""

import json
import shutil
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
NAME = "04_masked_softmax"


class Lesson:
    """The notebooks handed out, and what learners make of them."""

    name = NAME
    solution = ROOT / "solutions" / NAME

    @staticmethod
    def built(language="en", name=NAME):
        suffix = "" if language == "en" else f".{language}"
        return ROOT / "assignments" / name / f"{name.partition('_')[2]}{suffix}.ipynb"

    @staticmethod
    def id_of(cell):
        return cell["metadata"].get("nbgrader", {}).get("grade_id")

    def filled(self, answers, language="en", name=NAME):
        """With answers put in, by grade id."""
        notebook = json.loads(self.built(language, name).read_text(encoding="utf-8"))
        for cell in notebook["cells"]:
            if self.id_of(cell) in answers:
                cell["source"] = answers[self.id_of(cell)]
        return notebook

    def put(self, path, notebook):
        """Writes a notebook, or any text, where a learner would leave it."""
        path.parent.mkdir(parents=True, exist_ok=True)
        text = notebook if isinstance(notebook, str) else json.dumps(notebook, ensure_ascii=False)
        path.write_text(text, encoding="utf-8")
        return path


@pytest.fixture(scope="session")
def lesson():
    return Lesson()


@pytest.fixture(scope="session")
def reference(lesson):
    """The reference's functions by name, as answers."""
    from autograder.notebooks import written

    return written(lesson.solution / "solution.py").answers


@pytest.fixture(scope="session")
def assignment(lesson):
    from autograder.content import load

    return load(lesson.solution)


@pytest.fixture(scope="session")
def empty_course(tmp_path_factory):
    """A course with a gradebook in which nothing stands; nbgrader takes seconds to make one."""
    pytest.importorskip("nbgrader")
    from autograder.course.nbgrader_bridge import Gradebook

    folder = tmp_path_factory.mktemp("course")
    with Gradebook(folder):
        pass
    return folder


@pytest.fixture
def course(empty_course, tmp_path):
    return Path(shutil.copytree(empty_course, tmp_path / "course"))
