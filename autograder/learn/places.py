"""Where a learner's kit is: the folder of assignments with their packs, and where progress is kept."""

from __future__ import annotations

from pathlib import Path

import msgspec

import autograder
from autograder.content import assignment_names, resolve
from autograder.learn.pack import FILE, Pack, read_pack
from autograder.model import UsageError

FOLDER = "assignments"
_OURS = Path(autograder.__file__).resolve().parent


class Kit(msgspec.Struct, frozen=True):
    """A folder of assignments, each with its pack; `root` is where the learner works: progress is kept there."""

    folder: Path
    root: Path

    @property
    def names(self) -> tuple[str, ...]:
        """Those that have a pack, in order."""
        return tuple(name for name in assignment_names(self.folder) if (self.folder / name / FILE).is_file())

    def name_of(self, asked: str) -> str:
        """The full name of what someone typed; raises UsageError that suggests the closest."""
        return resolve(self.folder, asked).name

    def pack(self, name: str) -> Pack:
        """An assignment's pack. Raises ContentError."""
        return read_pack(self.folder / name / FILE)


def find_kit(start: Path | None = None) -> Kit:
    """The kit in a folder (default: the working one) or above it, else the one that came with this package.

    A kit is a folder `assignments`, or whatever folder assignments stand in. Raises UsageError where there is none.
    """
    begin = (start or Path.cwd()).resolve()
    for place in (begin, *begin.parents):
        for folder in (place / FOLDER, place):
            kit = Kit(folder, place.parent if place.name == FOLDER else place)
            if kit.names:
                return kit
    for folder in (_OURS / FOLDER, _OURS.parent / FOLDER):
        if Kit(folder, begin).names:
            return Kit(folder, begin)
    raise UsageError(f"no folder {FOLDER!r} with a {FILE} in {begin} or above")
