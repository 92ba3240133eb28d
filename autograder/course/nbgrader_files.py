"""Where nbgrader keeps a course: its config, its folders, its database. With the bridge, all that imports nbgrader."""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path

from nbgrader import api  # type: ignore[import-untyped]
from nbgrader.coursedir import CourseDirectory  # type: ignore[import-untyped]
from sqlalchemy import make_url
from traitlets.config import Config
from traitlets.config.loader import PyFileConfigLoader

CONFIG = "nbgrader_config.py"
_PATIENCE = "30"  # seconds to wait for another writer; sqlite3 itself gives up after five


def config_of(folder: Path) -> Config:
    """The course's own config, which is a program: anything may be raised."""
    root = folder.resolve()
    config = Config()
    if (root / CONFIG).is_file():
        config = PyFileConfigLoader(CONFIG, path=str(root)).load_config()
    if "root" not in config.CourseDirectory:
        config.CourseDirectory.root = str(root)
    return config


def url_of(directory: CourseDirectory) -> str:
    """The database. A relative file lies in the course's folder, from which nbgrader is run."""
    url = make_url(directory.db_url)
    if url.get_backend_name() != "sqlite" or not url.database or url.database.startswith((":", "file:")):
        return str(directory.db_url)
    url = url.set(database=str(Path(directory.root) / url.database))
    return url.update_query_dict({"timeout": _PATIENCE}).render_as_string(hide_password=False)


def page_of(directory: CourseDirectory, student: str, assignment: str, notebook: str) -> Path:
    """The notebook that people open when a submission has been graded."""
    return Path(directory.format_path(directory.autograded_directory, student, assignment)) / f"{notebook}.ipynb"


def take_away(directory: CourseDirectory, student: str, assignment: str, notebook: str) -> None:
    """What shows a grading: its page, and the feedback made of it, which nbgrader would keep for the next one too."""
    page_of(directory, student, assignment, notebook).unlink(missing_ok=True)
    feedback = Path(directory.format_path(directory.feedback_directory, student, assignment))
    for made in (f"{notebook}.html", "timestamp.txt"):
        (feedback / made).unlink(missing_ok=True)
    with contextlib.suppress(OSError):  # it is not there, or holds something of the instructor's
        feedback.rmdir()


def make_database(url: str) -> None:
    """Makes a new database file aside, so that it has all of nbgrader's tables or is not there.

    nbgrader runs `alembic` by name, which is found only where the environment is activated.
    """
    file = make_url(url).database if make_url(url).get_backend_name() == "sqlite" else None
    os.environ["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)])
    if not file or Path(file).exists():
        return
    scratch = Path(f"{file}.{os.getpid()}")
    try:
        api.Gradebook(make_url(url).set(database=str(scratch)).render_as_string(hide_password=False)).close()
        scratch.replace(file)
    finally:
        scratch.unlink(missing_ok=True)
