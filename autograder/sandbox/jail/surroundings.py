"""What the child inherits, put in order before any wall is raised."""

from __future__ import annotations

import contextlib
import os
import secrets
from collections.abc import Iterator
from pathlib import Path


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


def remove_tree(top: Path) -> None:
    """Remove a folder of any depth, in which rights may have been taken away. What cannot be removed is left.

    Folders are moved up as they are found, so that no path grows too long and nothing calls itself too often.
    """
    waiting = [top]
    while waiting:
        folder = waiting.pop()
        with contextlib.suppress(OSError):
            folder.chmod(0o700)
            waiting += [*_without_files(folder, top)]
        if folder != top:
            with contextlib.suppress(OSError):
                folder.rmdir()
    with contextlib.suppress(OSError):
        top.rmdir()


def _without_files(folder: Path, top: Path) -> Iterator[Path]:
    """Remove the files of a folder, and move its folders to the top."""
    for entry in list(os.scandir(folder)):
        with contextlib.suppress(OSError):
            if entry.is_dir(follow_symlinks=False):
                yield Path(entry.path).rename(top / secrets.token_hex(16))
            else:
                Path(entry.path).unlink()
