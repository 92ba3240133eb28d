"""A child's own folder: how much lies in it, and how it is removed."""

from __future__ import annotations

import itertools
import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from autograder.calls import Exceeded, Limit
from autograder.sandbox.jail import remove_tree
from autograder.sandbox.limits import Limits

MEBIBYTE = 1 << 20
LEFT_FREE = 256 << 20  # bytes of the disk: files that were deleted while open lie in no folder


@dataclass(frozen=True)
class Folder:
    """The folder with its limits. A limit of the kernel's would bound each file, and not their number."""

    path: Path
    limits: Limits
    free_before: int = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "free_before", _free(self.path))

    def exceeded(self) -> Exceeded | None:
        """The limit that it is beyond: too many files or bytes, or the disk is about to be full and was not before."""
        if _free(self.path) < LEFT_FREE <= self.free_before:
            return Exceeded(Limit.DISK)
        too_many = Exceeded(Limit.FILES, self.limits.folder_files)
        count, size = 0, 0
        try:
            for entry in _entries(self.path, self.limits.folder_files + 1):
                count, size = count + 1, size + _size(entry)
                if size > self.limits.folder_bytes:
                    return Exceeded(Limit.FILE_BYTES, self.limits.folder_bytes / MEBIBYTE)
                if count > self.limits.folder_files:
                    return too_many
        except OSError:  # so deep that the names of a path are too long together
            return too_many
        return None

    def remove(self) -> None:
        """Remove it, whatever a submission has made of it."""
        remove_tree(self.path)


def _entries(path: Path, most: int) -> Iterator[os.DirEntry[str]]:
    """What lies below a folder while it is being written to, of each folder `most` entries.

    Raises OSError for paths too long to follow.
    """
    waiting = [str(path)]
    while waiting:
        for entry in _listed(waiting.pop(), most):
            yield entry
            if entry.is_dir(follow_symlinks=False):
                waiting.append(entry.path)


def _listed(path: str, most: int) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(path) as found:  # it grows as fast as it is read
            return list(itertools.islice(found, most))
    except (FileNotFoundError, PermissionError):  # gone since, or closed to everybody
        return []


def _size(entry: os.DirEntry[str]) -> int:
    try:
        return entry.stat(follow_symlinks=False).st_size
    except FileNotFoundError:  # gone since
        return 0


def _free(path: Path) -> int:
    return shutil.disk_usage(path).free
