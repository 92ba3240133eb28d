"""The walls around the child, raised by the child itself before it runs a line of a submission.

Each layer is a function that raises OSError where the system cannot have it; `LAYERS` is their order. `confine` says
which are on. Without the right system (Windows, say) a layer is off, and the report says so.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

try:
    import resource
except ImportError:  # Windows
    resource = None  # type: ignore[assignment]

_PR_SET_PDEATHSIG, _PR_SET_DUMPABLE, _PR_SET_CHILD_SUBREAPER, _PR_SET_NO_NEW_PRIVS = 1, 4, 36, 38
_CPU_GRACE = 2  # seconds between SIGXCPU, which can be caught, and SIGKILL


@dataclass(frozen=True)
class Bounds:
    """What the child may use, and the one folder that is its own."""

    folder: str
    memory_bytes: int
    cpu_seconds: int
    file_bytes: int
    open_files: int
    device: str = "cpu"


def confine(bounds: Bounds) -> dict[str, str]:
    """Raise every wall; the result maps a layer to "on" or to "off: " and the reason."""
    layers = {}
    for name, raise_wall in LAYERS.items():
        try:
            raise_wall(bounds)
            layers[name] = "on"
        except OSError as error:
            layers[name] = f"off: {error.strerror or error}"
    return layers


def limit_resources(bounds: Bounds) -> None:
    """Memory, CPU time, file sizes and open files, kept by the kernel."""
    if resource is None:
        raise OSError("this system has no resource limits")
    _limit(resource.RLIMIT_CORE, 0)
    _limit(resource.RLIMIT_FSIZE, bounds.file_bytes)
    _limit(resource.RLIMIT_NOFILE, bounds.open_files)
    _limit(resource.RLIMIT_CPU, bounds.cpu_seconds, bounds.cpu_seconds + _CPU_GRACE)
    if not sys.platform.startswith("linux"):
        raise OSError("memory is not bounded on this system")
    if bounds.device == "cpu":
        _limit(resource.RLIMIT_AS, _own_memory("VmSize") + bounds.memory_bytes)
    else:  # a GPU's driver maps far more address space than it uses
        _limit(resource.RLIMIT_DATA, _own_memory("VmData") + bounds.memory_bytes)


def refuse_new_privileges(bounds: Bounds) -> None:
    """No program started from here gains rights (set-user-id, file capabilities)."""
    _prctl(_PR_SET_NO_NEW_PRIVS, 1)


def die_with_parent(bounds: Bounds) -> None:
    """The kernel ends the child when the process that forked it ends."""
    _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def hide_memory(bounds: Bounds) -> None:
    """Other processes of the same user cannot look into the child's memory, nor it into theirs if they do the same."""
    _prctl(_PR_SET_DUMPABLE, 0)


Layer = Callable[[Bounds], None]
# A layer that changes credentials clears the parent-death signal: such a layer belongs before it. The system-call
# filter belongs last, since what the others need is not in it.
LAYERS: Mapping[str, Layer] = {
    "no-new-privileges": refuse_new_privileges,
    "parent-death": die_with_parent,
    "hidden-memory": hide_memory,
    "rlimits": limit_resources,
}


def adopt_orphans() -> None:
    """Processes that a dead child leaves behind become this process's own, so that it can end them (Linux)."""
    with contextlib.suppress(OSError):
        _prctl(_PR_SET_CHILD_SUBREAPER, 1)


def lead_own_session() -> None:
    """Leave the terminal and the host's process group; whatever is started from here is in the new one."""
    if hasattr(os, "setsid"):
        with contextlib.suppress(OSError):  # already leading one
            os.setsid()


def settle(folder: str) -> None:
    """Make `folder` the working, home and temporary folder, and drop all environment variables but the needed ones."""
    kept = {name: os.environ[name] for name in KEPT_VARIABLES if name in os.environ}
    os.environ.clear()
    os.environ.update(kept)
    os.environ.update(dict.fromkeys(FOLDER_VARIABLES, folder))
    os.chdir(folder)


KEPT_VARIABLES = (
    *("PATH", "LANG", "LC_ALL", "TZ", "LD_LIBRARY_PATH", "SYSTEMROOT", "SYSTEMDRIVE", "WINDIR", "COMSPEC", "PATHEXT"),
    *("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "PYTORCH_NVML_BASED_CUDA_CHECK"),
    *("CUDA_VISIBLE_DEVICES", "CUDA_HOME", "NVIDIA_VISIBLE_DEVICES", "NVIDIA_DRIVER_CAPABILITIES"),
)
FOLDER_VARIABLES = ("HOME", "USERPROFILE", "TMPDIR", "TEMP", "TMP", "XDG_CACHE_HOME", "TORCHINDUCTOR_CACHE_DIR")


def close_files_but(kept: int) -> None:
    """Close every file descriptor above 2 except one."""
    os.closerange(3, kept)
    os.closerange(kept + 1, os.sysconf("SC_OPEN_MAX"))


def read_nothing() -> None:
    """Standard input is empty: `input()` raises EOFError."""
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)


def _limit(which: int, soft: int, hard: int | None = None) -> None:
    _, ceiling = resource.getrlimit(which)
    bounds = (soft, soft if hard is None else hard)
    if ceiling != resource.RLIM_INFINITY:
        bounds = (min(bounds[0], ceiling), min(bounds[1], ceiling))
    try:
        resource.setrlimit(which, bounds)
    except ValueError as error:
        raise OSError(str(error)) from None


def _own_memory(field: str) -> int:
    with Path("/proc/self/status").open(encoding="ascii") as status:
        lines = dict(line.split(":", 1) for line in status)
    return int(lines[field].split()[0]) * 1024


def _prctl(option: int, value: int) -> None:
    if not sys.platform.startswith("linux"):
        raise OSError("Linux only")
    library = ctypes.CDLL(None, use_errno=True)
    if library.prctl(option, value, 0, 0, 0):
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))
