"""What the child may use, as the host tells it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Bounds:
    """Limits, the one folder that is the child's own, folders that it must not read, and layers to leave out."""

    folder: str
    memory_bytes: int
    cpu_seconds: int
    file_bytes: int
    open_files: int
    device: str = "cpu"
    hidden: Sequence[str] = ()
    without: Sequence[str] = ()
