"""course.toml: what an instructor decides for a course."""

from __future__ import annotations

from pathlib import Path

import msgspec

from autograder.content.files import Faults, convert, read_toml
from autograder.course.troubles import Refused
from autograder.model import ContentError, Language

FILE = "course.toml"


class CourseSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One course's settings; all have defaults."""

    language: Language = "en"  # of comments and feedback
    follow_through: bool = True  # what is right given an earlier mistake gets its points


def course_settings(folder: Path) -> CourseSettings:
    """Those of a course's folder. Raises Refused where there is no such folder, ContentError for faults in the file."""
    if not folder.is_dir():
        raise Refused("usage-course", path=str(folder))
    if not (folder / FILE).is_file():
        return CourseSettings()
    faults = Faults(folder)
    table = read_toml(FILE, faults)
    found = None if table is None else convert(table, CourseSettings, FILE, "", faults)
    if found is None:
        raise ContentError(*faults.lines)
    return found
