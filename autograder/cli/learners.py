"""What a learner's commands work on: authored folders where they exist, else the packs of a kit."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from autograder.cli.places import Catalogue
from autograder.content import find_solutions
from autograder.learn.pack import Pack
from autograder.learn.places import Kit, find_kit
from autograder.model import Assignment, UsageError

if TYPE_CHECKING:
    from autograder.graders.prepared import Prepared


class AuthoredCatalogue(Catalogue):
    """The authored assignments; checks ask the reference itself."""

    @property
    def root(self) -> Path:
        """Where progress is kept: where the commands that only read look for it."""
        try:
            return find_kit().root
        except UsageError:
            return self.solutions.parent

    def prepared(self, name: str, device: str) -> Prepared:
        """An assignment, ready for a check."""
        from autograder.graders import prepare

        return prepare(self.assignment(name), device=device)


class PackCatalogue(Catalogue):
    """A kit without solutions. Raises UsageError where there is none."""

    def __init__(self, kit: Kit | None = None) -> None:
        self.kit = kit or find_kit()
        self.solutions = self.kit.folder
        self._packs: dict[str, Pack] = {}

    @cached_property
    def names(self) -> Sequence[str]:
        """Names in order."""
        return self.kit.names

    @property
    def root(self) -> Path:
        """Where progress is kept."""
        return self.kit.root

    def pack(self, name: str) -> Pack:
        """An assignment's pack. Raises ContentError."""
        if name not in self._packs:
            self._packs[name] = self.kit.pack(name)
        return self._packs[name]

    def assignment(self, name: str) -> Assignment:
        """An assignment by its full name. Raises ContentError."""
        return self.pack(name).assignment

    def prepared(self, name: str, device: str) -> Prepared:
        """An assignment, ready for a check. Raises ContentError."""
        from autograder.learn.kit import PackKit

        return PackKit(self.pack(name), device)


def catalogue_for_checks() -> AuthoredCatalogue | PackCatalogue:
    """Authored folders first: they are never stale. Raises UsageError where there is neither."""
    try:
        find_solutions()
    except UsageError:
        return PackCatalogue()
    return AuthoredCatalogue()


def catalogue_for_reading() -> AuthoredCatalogue | PackCatalogue:
    """Packs first: they are read at once. Raises UsageError where there is neither."""
    try:
        return PackCatalogue()
    except UsageError:
        return AuthoredCatalogue()
