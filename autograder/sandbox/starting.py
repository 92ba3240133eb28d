"""How a Python process of ours is started: with our own code, and with nothing of the user's settings or secrets."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
_THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
_PASSED_ON = (
    *("PATH", "TZ", "LD_LIBRARY_PATH", "SYSTEMROOT", "SYSTEMDRIVE", "WINDIR", "COMSPEC", "PATHEXT", "TEMP", "TMP"),
    *("CUDA_VISIBLE_DEVICES", "CUDA_HOME", "NVIDIA_VISIBLE_DEVICES", "NVIDIA_DRIVER_CAPABILITIES"),
)


def command(python: str, module: str, arguments: Sequence[str]) -> list[str]:
    """A command line that runs `main` of a module of ours, in a Python that reads nothing of the user's settings."""
    code = f"import sys; sys.path.insert(0, {str(ROOT)!r}); from {module} import main; sys.path.pop(0); main()"
    return [python, "-I", "-X", "utf8", "-c", code, *arguments]


def environment() -> dict[str, str]:
    """The variables that a process of ours gets: none that tells anything."""
    # One thread: a second one in the fork server makes forking unsafe, and libraries start theirs on import.
    kept = {name: os.environ[name] for name in _PASSED_ON if name in os.environ}
    return kept | dict.fromkeys(_THREADS, "1") | {"LANG": "C.UTF-8", "PYTORCH_NVML_BASED_CUDA_CHECK": "1"}
