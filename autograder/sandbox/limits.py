"""What a child may use."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """Seconds by the clock for one call, for loading all cells, and for a whole submission; the rest bounds a child.

    Without a bound on the whole, one that sleeps just short of each deadline would hold up a class for minutes.
    """

    call_seconds: float = 3.0
    load_seconds: float = 10.0
    total_seconds: float = 60.0  # of waiting for it, whichever child answers
    cpu_seconds: int = 60
    memory_bytes: int = 2 << 30  # beyond what torch itself takes
    output_bytes: int = 1 << 16  # of printed text that is kept
    file_bytes: int = 16 << 20
    open_files: int = 64
