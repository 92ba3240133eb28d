"""Which walls really stand on this machine: tried once by a throw-away process, before any submission runs."""

from __future__ import annotations

import json
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from autograder.sandbox.jail.bounds import Bounds
from autograder.sandbox.limits import LEVELS, Limits, level_of
from autograder.sandbox.processes import SandboxError
from autograder.sandbox.starting import command, environment

_SECONDS, _DEVICE_SECONDS = 20.0, 120.0
_MODULE = "autograder.sandbox.jail.probes"
_ON = "on"
_LONGEST = 300  # characters of a failure that are told
# Without a table of a GPU driver's needs, these walls are left out one after the other where it does not start.
_DISPENSABLE = ("landlock", "seccomp")


@dataclass(frozen=True)
class Walls:
    """Each layer "on" or "off: " and why, as the probes found it; `without`: the layers to leave out here."""

    layers: Mapping[str, str]
    without: tuple[str, ...] = ()

    def held(self, raised: Mapping[str, str]) -> dict[str, str]:
        """What holds around a child: a layer is on where it raised it and the probes found that it refuses.

        Raises WallsFell where that amounts to less than what the probes found.
        """
        unproven = self.layers.get("probe", "off: not tried")
        held = {name: self.layers.get(name, unproven) if state == _ON else state for name, state in raised.items()}
        if LEVELS.index(level_of(held)) > LEVELS.index(level_of(self.layers)):
            raise WallsFell(held, self.layers)
        return held


class WallsFell(SandboxError):
    """A child could not raise a wall that stood when it was tried. Nothing of a submission has run in it."""

    def __init__(self, layers: Mapping[str, str], promised: Mapping[str, str]) -> None:
        fell = [f"{name}: {layers.get(name, 'not there')}" for name, state in promised.items() if state == _ON]
        fell = [line for line in fell if not line.endswith(f": {_ON}")]
        super().__init__(f"a wall that stood when it was tried does not stand around a submission: {'; '.join(fell)}")
        self.layers = dict(layers)


class Probe:
    """A throw-away process under way."""

    def __init__(self, python: str, device: str, hidden: Sequence[str], without: Sequence[str] = ()) -> None:
        self._python, self._device, self._hidden, self._without = python, device, tuple(hidden), tuple(without)
        self._scratch = tempfile.TemporaryDirectory(prefix="attn-probe-", ignore_cleanup_errors=True)
        folder = Path(self._scratch.name)
        folder.chmod(0o711)  # the child may be another user
        (folder / "own").mkdir()
        canary = folder / "outside"
        canary.write_text("a line\n", encoding="utf-8")
        limits = Limits()
        sizes = (limits.memory_bytes, limits.cpu_seconds, limits.file_bytes, limits.open_files)
        bounds = Bounds(str(folder / "own"), *sizes, device, self._hidden, self._without)
        self._process = subprocess.Popen(
            command(python, _MODULE, [json.dumps({"bounds": asdict(bounds), "canary": str(canary)})]),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment(),
            start_new_session=True,
        )

    def walls(self) -> Walls:
        """What it found; waits for it."""
        try:
            answer = self._answer()
        except (subprocess.TimeoutExpired, ValueError, LookupError, TypeError) as error:
            return Walls({"probe": f"off: {type(error).__name__}: {error}"}, self._without)
        finally:
            self.close()
        further = [name for name in _DISPENSABLE if name not in self._without]
        if answer["trouble"] and further:
            left_out = (*self._without, further[0])
            walls = Probe(self._python, self._device, self._hidden, left_out).walls()
            reason = f"off: {self._device} does not start behind it: {answer['trouble']}"[:_LONGEST]
            return replace(walls, layers={**walls.layers, further[0]: reason})
        return Walls({str(name): str(state) for name, state in answer["layers"].items()}, self._without)

    def close(self) -> None:
        """End it."""
        self._process.kill()
        self._process.communicate()
        self._scratch.cleanup()

    def _answer(self) -> dict[str, dict[str, str]]:
        seconds = _SECONDS if self._device == "cpu" else _DEVICE_SECONDS
        printed, complaint = self._process.communicate(timeout=seconds)
        if self._process.returncode != 0:
            raise ValueError(complaint.decode("utf-8", "replace")[-_LONGEST:])
        answer: dict[str, dict[str, str]] = json.loads(printed)
        return answer
