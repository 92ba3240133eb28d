"""The grader's side of the sandbox: starts children, talks to them, and believes nothing they say."""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Literal, Self

from autograder.sandbox.limits import Limits
from autograder.sandbox.processes import ForkServer, Launcher, Spawner

if TYPE_CHECKING:
    from autograder.sandbox.child import Child

__all__ = ["Host", "Limits"]

Method = Literal["fork", "spawn"]


class Host:
    """Makes children. Use it as a context manager, or call `close`: no process, descriptor or folder stays behind.

    `preload`: modules imported before forking, which children then have for nothing. `method`: how children come to
    be; by default "fork" on Linux, "spawn" elsewhere.
    """

    def __init__(
        self,
        preload: Sequence[str] = (),
        device: str = "cpu",
        python: str = sys.executable,
        method: Method | None = None,
    ) -> None:
        self._device, self._python, self._preload = device, python, tuple(preload)
        self._method = method or ("fork" if sys.platform.startswith("linux") else "spawn")
        self._children: list[Child] = []
        self._count = 0

    @cached_property
    def _folder(self) -> Path:
        """Made when it is first needed: a host that starts nothing leaves nothing behind, however it ends."""
        return Path(tempfile.mkdtemp(prefix="attn-"))

    @cached_property
    def _launcher(self) -> Launcher:
        forks = self._method == "fork"
        return ForkServer(self._python, self._folder, self._preload) if forks else Spawner(self._python)

    def start(self) -> None:
        """Begin to import torch in the background; returns at once."""
        self._launcher.start()

    def child(self, limits: Limits | None = None) -> Child:
        """A fresh child that has loaded nothing yet. Raises SandboxError."""
        from autograder.sandbox.child import Child  # needs torch, which the fork server may load first

        limits = limits or Limits()
        self._count += 1
        folder = self._folder / str(self._count)
        folder.mkdir()
        self._children = [child for child in self._children if not child.closed]
        child = Child(self._launcher.launch(limits.output_bytes), limits, folder, self._device)
        self._children.append(child)
        return child

    def close(self) -> None:
        """End all children and the fork server, and remove the folders."""
        for child in self._children:
            child.close()
        if "_launcher" in vars(self):
            self._launcher.close()
        if "_folder" in vars(self):
            shutil.rmtree(self._folder, ignore_errors=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()
