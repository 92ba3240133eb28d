"""The grader's side of the sandbox: starts children, talks to them, and believes nothing they say."""

from __future__ import annotations

import contextlib
import sys
import tempfile
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Literal, Self

from autograder.sandbox.jail import hide_memory, remove_tree
from autograder.sandbox.limits import FULL, LEVELS, Limits, level_of
from autograder.sandbox.processes import ForkServer, Launcher
from autograder.sandbox.spawning import Spawner
from autograder.sandbox.starting import ROOT
from autograder.sandbox.verifying import Probe, Walls, WallsFell

if TYPE_CHECKING:
    from autograder.sandbox.child import Child

__all__ = ["FULL", "LEVELS", "SECRETS", "Host", "Limits", "WallsFell", "level_of", "secrets_beside"]

Method = Literal["fork", "spawn"]


def secrets_beside(solutions: Path) -> tuple[str, ...]:
    """What no child may read, even where it lies among libraries: the authored folders, their history, the class."""
    return tuple(str(path) for path in (solutions, *(solutions.parent / name for name in (".git", "tests"))))


SECRETS = secrets_beside(ROOT / "solutions")


class Host:
    """Makes children. Use it as a context manager, or call `close`: no process, descriptor or folder stays behind.

    `preload`: modules imported before forking, which children then have for nothing. `method`: how children come to
    be; by default "fork" on Linux, "spawn" elsewhere. `hidden`: folders that no child may read. `without`: layers to
    leave out, to see what a system without them would do.
    """

    def __init__(
        self,
        preload: Sequence[str] = (),
        device: str = "cpu",
        python: str = sys.executable,
        method: Method | None = None,
        hidden: Sequence[str] = SECRETS,
        without: Sequence[str] = (),
    ) -> None:
        self._device, self._python, self._preload = device, python, tuple(preload)
        self._hidden, self._without = tuple(hidden), tuple(without)
        self._probe: Probe | None = None
        self._method = method or ("fork" if sys.platform.startswith("linux") else "spawn")
        self._children: list[Child] = []
        self._count = 0

    @cached_property
    def _folder(self) -> Path:
        """Made when it is first needed: a host that starts nothing leaves nothing behind, however it ends."""
        folder = Path(tempfile.mkdtemp(prefix="attn-"))
        folder.chmod(0o711)  # where root grades, children are other users, and each owns a folder in this one
        return folder

    @cached_property
    def _launcher(self) -> Launcher:
        forks = self._method == "fork"
        return ForkServer(self._python, self._folder, self._preload) if forks else Spawner(self._python)

    @cached_property
    def walls(self) -> Walls:
        """What the probes found on this machine; the first question waits for them, a tenth of a second."""
        try:
            probe, self._probe = self._probe or self._new_probe(), None
        except OSError as error:  # no room for its folder, say
            return Walls({"probe": f"off: {error}"}, self._without)
        return probe.walls()

    @property
    def level(self) -> str:
        """What the walls amount to: one of LEVELS."""
        return level_of(self.walls.layers)

    @property
    def bounds_memory(self) -> bool:
        """Whether the kernel ends what takes more memory than it is given: not that of a GPU, and not everywhere."""
        return self._device == "cpu" and self.walls.layers.get("rlimits") == "on"

    def another(self) -> Host:
        """A host of the same kind, for another process; what is known of the walls need not be tried again."""
        other = Host(self._preload, self._device, self._python, self._method, self._hidden, self._without)
        if "walls" in vars(self):
            other.walls = self.walls
        return other

    def _new_probe(self) -> Probe:
        return Probe(self._python, self._device, self._hidden, self._without)

    def start(self) -> None:
        """Begin to import torch and to try the walls in the background; returns at once."""
        with contextlib.suppress(OSError):  # not Linux
            hide_memory()
        self._launcher.start()
        if "walls" not in vars(self):
            with contextlib.suppress(OSError):  # whoever asks for the walls is told
                self._probe = self._probe or self._new_probe()

    def child(self, limits: Limits | None = None, spent: float = 0.0) -> Child:
        """A fresh child that has loaded nothing yet; `spent`: its submission's processor time so far.

        Raises SandboxError.
        """
        from autograder.sandbox.child import Child, Setting  # needs torch, which the fork server may load first

        self.start()
        limits = limits or Limits()
        self._count += 1
        folder = self._folder / str(self._count)
        folder.mkdir(mode=0o700)
        self._children = [child for child in self._children if not child.closed]
        setting = Setting(folder, self._device, self._hidden, self.walls)
        child = Child(self._launcher.launch(limits.output_bytes), limits, setting, spent)
        self._children.append(child)
        return child

    def close(self) -> None:
        """End all children and the fork server, and remove the folders."""
        for child in self._children:
            child.close()
        if self._probe is not None:
            self._probe.close()
        if "_launcher" in vars(self):
            self._launcher.close()
        if "_folder" in vars(self):
            remove_tree(self._folder)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()
