"""The pytest plugin that every run of pytest finds: it adds options, and wakes up only where a grader is collected.

`pytest solutions/NN_name --submission FILE` runs an assignment's graders on a file in the sandbox, as `attn grade`
does. Nothing heavy is imported here, since other projects' runs load this module too.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from autograder.graders.marks import GRADERS, register_marks

if TYPE_CHECKING:
    from autograder.graders.opening import SpokenSession


def pytest_addoption(parser: pytest.Parser) -> None:
    """Adds --submission, --device and --allow-weak-sandbox."""
    group = parser.getgroup("attn", "grading submissions")
    group.addoption("--submission", type=Path, help="the file to grade (default: the assignment's own solution)")
    group.addoption("--device", default="cpu", help="cpu, cuda, mps or auto")
    group.addoption("--allow-weak-sandbox", action="store_true", help="run hidden tests where it could read them")


def pytest_configure(config: pytest.Config) -> None:
    """Registers the marks, and the session where graders are asked for by path."""
    register_marks(config)
    folder = _grader_folder(config)
    if folder is not None and not config.pluginmanager.hasplugin("attn-session"):
        session = _open_session(folder, config)
        config.add_cleanup(session.close)
        config.pluginmanager.register(session, "attn-session")


def _grader_folder(config: pytest.Config) -> Path | None:
    """The one assignment folder among pytest's arguments."""
    places = [Path(str(argument).split("::")[0]).resolve() for argument in config.args]
    folders = {place if place.is_dir() else place.parent for place in places if _has_graders(place)}
    if len(folders) > 1:
        raise pytest.UsageError("graders run for one assignment at a time")
    if not folders and config.getoption("--submission"):
        raise pytest.UsageError("--submission needs the folder of an assignment, such as solutions/04_masked_softmax")
    return folders.pop() if folders else None


def _has_graders(place: Path) -> bool:
    folder = place if place.is_dir() else place.parent
    return (folder / "assignment.toml").is_file() and (place.is_dir() or place.name in GRADERS)


def _open_session(folder: Path, config: pytest.Config) -> SpokenSession:
    from autograder.graders.opening import open_session
    from autograder.model import ContentError, UsageError

    asked = config.getoption("--submission")
    allowed = config.getoption("--allow-weak-sandbox") or os.environ.get("ATTN_ALLOW_WEAK_SANDBOX")
    needs_walls = asked is not None and not allowed
    try:
        path = Path(asked or folder / "solution.py")
        return open_session(folder, path, config.getoption("--device"), needs_walls=needs_walls)
    except (ContentError, UsageError) as error:
        raise pytest.UsageError(str(error)) from error
