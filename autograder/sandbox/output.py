"""What a child prints, read while waiting for its answers. No torch here: children are started before it is loaded."""

from __future__ import annotations

import contextlib
import os
import threading

CHUNK = 1 << 16
DRAIN_ROUNDS = 64  # of chunks: more is not left in a pipe


class Output:
    """What a child prints: the first bytes are kept, the rest is read and dropped, so that it never blocks."""

    def __init__(self, descriptor: int, limit: int, *, threaded: bool = False) -> None:
        self._descriptor, self._limit = descriptor, limit
        self._kept = bytearray()
        self.is_cut = False  # more was printed than is kept
        self._thread = threading.Thread(target=self._follow, daemon=True) if threaded else None
        if self._thread:  # where a pipe cannot be waited for together with a socket
            self._thread.start()
        else:
            os.set_blocking(descriptor, False)

    @property
    def text(self) -> str:
        """What was kept, as text."""
        return self._kept.decode("utf-8", "replace")

    def fileno(self) -> int | None:
        """The descriptor to wait for; None where a thread reads."""
        return None if self._thread else self._descriptor

    def pump(self) -> bool:
        """Read what is there; False where nothing is, or the other end has closed."""
        try:
            data = os.read(self._descriptor, CHUNK)
        except OSError:  # nothing there
            return False
        room = max(0, self._limit - len(self._kept))
        self._kept += data[:room]
        self.is_cut |= len(data) > room
        return bool(data)

    def close(self) -> None:
        """Read the remains and close."""
        if self._thread:
            self._thread.join(1.0)
        elif self._descriptor >= 0:
            for _ in range(DRAIN_ROUNDS):
                if not self.pump():
                    break
        with contextlib.suppress(OSError):
            os.close(self._descriptor)
        self._descriptor = -1

    def _follow(self) -> None:
        while self.pump():
            pass
