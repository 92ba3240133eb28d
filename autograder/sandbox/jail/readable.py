"""Which files the child must be able to read: those of Python, of its libraries, and a few of the system."""

from __future__ import annotations

import functools
import os
import sys
import sysconfig
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

_SYSTEM = (
    *("/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/usr/local/lib64"),
    *("/etc/ld.so.cache", "/etc/localtime", "/usr/share/zoneinfo", "/proc/cpuinfo", "/proc/meminfo"),
    *("/sys/devices/system/cpu", "/sys/devices/system/node"),
)
_DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")
# What a GPU's driver reads and opens.
_GPU = (
    *("/proc/driver", "/proc/devices", "/proc/modules", "/proc/version", "/proc/sys/vm", "/proc/self"),
    *("/sys/bus", "/sys/class", "/sys/devices", "/sys/module", "/usr/share/nvidia", "/etc/nvidia", "/usr/local/nvidia"),
    *("/usr/local/cuda*", "/opt/rocm*"),
)
_GPU_DEVICES = ("/dev/nvidia*", "/dev/nvidia-caps", "/dev/dri", "/dev/kfd")
_DEEPEST = 8  # levels between a folder and what is hidden below it
_ROOT = Path(os.sep)


@dataclass(frozen=True)
class Readable:
    """Folders and files to read as a whole, folders of which only the list of names is readable, and devices."""

    whole: tuple[Path, ...]
    listed: tuple[Path, ...]
    devices: tuple[Path, ...]


def readable(hidden: Sequence[str], device: str) -> Readable:
    """What a child may read. Nothing in `hidden` is, wherever it lies."""
    secret = tuple(Path(path).resolve() for path in hidden)
    roots, devices = _there(device, tuple(sys.path))
    whole: list[Path] = []
    listed: list[Path] = []
    for root in roots:
        _carve(root, secret, whole, listed)
    return Readable(tuple(whole), tuple(listed), devices)


@functools.lru_cache(maxsize=4)  # looked up before the fork server forks, and found by its children
def _there(device: str, search: tuple[str, ...]) -> tuple[tuple[Path, ...], tuple[Path, ...]]:
    """The folders and files of libraries and of the system that are there, and the devices."""
    devices = _DEVICES if device == "cpu" else (*_DEVICES, *_GPU_DEVICES)
    return tuple(_outermost(_roots(device, search))), tuple(_matching(devices))


def _roots(device: str, search: Iterable[str]) -> Iterator[Path]:
    prefixes = {Path(prefix) for prefix in (sys.prefix, sys.base_prefix, sys.exec_prefix, sys.base_exec_prefix)}
    yield from (prefix / name for prefix in prefixes for name in ("lib", "lib64"))
    yield from (Path(sysconfig.get_paths()[name]) for name in ("stdlib", "platstdlib", "purelib", "platlib"))
    # Other entries of the search path come from an editable install: the folder of a project, not of a library.
    yield from (entry for entry in map(Path, search) if (prefixes - {_ROOT}) & set(entry.parents))
    yield from (Path(entry) for entry in os.environ.get("LD_LIBRARY_PATH", "").split(os.pathsep) if entry)
    yield from _matching(_SYSTEM if device == "cpu" else (*_SYSTEM, *_GPU))


def _matching(patterns: Iterable[str]) -> Iterator[Path]:
    for pattern in patterns:
        yield from _ROOT.glob(pattern.lstrip(os.sep))


def _outermost(paths: Iterable[Path]) -> Iterator[Path]:
    """The paths that are there, each once, without those inside another; never a whole file system."""
    there = {path.resolve() for path in paths if path.exists()} - {_ROOT}
    yield from sorted(path for path in there if not there & set(path.parents))


def _carve(root: Path, secret: Sequence[Path], whole: list[Path], listed: list[Path], depth: int = 0) -> None:
    """Allow `root` but for what is secret in it: rules only ever allow, so its neighbours are allowed one by one."""
    if any(root.is_relative_to(path) for path in secret):
        return
    if not any(path.is_relative_to(root) for path in secret):
        whole.append(root)
        return
    listed.append(root)
    if depth < _DEEPEST:
        for child in sorted(root.iterdir()):
            if not child.is_symlink():
                _carve(child, secret, whole, listed, depth + 1)
