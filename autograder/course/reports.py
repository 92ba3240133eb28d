"""Reports and their summary as files. Each file appears whole or not at all."""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from autograder.course.troubles import Refused
from autograder.model import Finding, Report

_LONGEST_NAME = 80  # characters
_LONGEST_BYTES = 180  # UTF-8; file systems stop at 255, and a digest follows
_DIGESTS = (8, 16, 32, 64)  # hexadecimal digits
_ALLOWED = "-_."
_UNSEEN = re.compile("[^\n -~]")  # what may have to be escaped
# Controls, invisible characters, surrogates, private and unassigned ones, and what ends a line.
_CATEGORIES = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")
# Names that Windows keeps for devices, whatever their suffix.
_DEVICES = {"con", "prn", "aux", "nul", *(f"{port}{number}" for port in ("com", "lpt") for number in range(10))}


def folder_names(students: Iterable[str]) -> dict[str, str]:
    """For each student a folder name that is safe everywhere and no other student's, capitals and accents apart or not.

    A name that needs no change is kept; any other gets a few letters that depend on the id alone, and more of them
    where another student is called just that.
    """
    ids = sorted(set(students))
    longer = dict.fromkeys(ids, 0)
    names = {student: _folder_name(student, 0) for student in ids}
    while shared := _shared(names, longer):
        for student in shared:
            longer[student] += 1
            names[student] = _folder_name(student, longer[student])
    return names


def _shared(names: Mapping[str, str], longer: Mapping[str, int]) -> list[str]:
    """The students whose name is also another's. With whole digests there are none."""
    counts = Counter(_folded(name) for name in names.values())
    return [own for own, name in names.items() if counts[_folded(name)] > 1 and longer[own] < len(_DIGESTS)]


def _folded(name: str) -> str:
    """What the least discerning file systems take a name for."""
    return unicodedata.normalize("NFC", name.casefold())


def _folder_name(student: str, longer: int) -> str:
    """The name itself where it is safe and nobody else's, else as much of it as fits and a digest of the id."""
    plain = _plain(student)
    if longer == 0 and plain == _composed(student):
        return plain
    return f"{plain}-{digest(student, _DIGESTS[max(0, longer - 1)])}"


def _plain(student: str) -> str:
    kept = "".join(c if c.isalnum() or c in _ALLOWED else "_" for c in _composed(student))
    kept = shortened(kept.strip("."))
    return f"{kept}_" if not kept or kept.split(".")[0].casefold() in _DEVICES else kept


def shortened(name: str) -> str:
    """As much of a name as leaves place for a digest in the name of a file."""
    return name[:_LONGEST_NAME].encode("utf-8", "replace")[:_LONGEST_BYTES].decode("utf-8", "ignore")


def _composed(student: str) -> str:
    return unicodedata.normalize("NFC", student)


def digest(student: str, digits: int) -> str:
    """Hexadecimal digits by which an id is known."""
    return hashlib.sha256(student.encode("utf-8", "surrogatepass")).hexdigest()[:digits]


# ------------------------------------------------------------------------------------------------------------ files


def prepare_folder(folder: Path) -> None:
    """Makes the folder that results go into and sees that it can be written; raises Refused where it cannot."""
    try:
        (folder / "reports").mkdir(parents=True, exist_ok=True)
        write_whole(folder / "reports" / ".writable", b"")
        (folder / "reports" / ".writable").unlink()
    except OSError as error:
        raise Refused("usage-out", path=str(folder), text=error.strerror or str(error)) from error


def report_path(folder: Path, student_folder: str, assignment: str) -> Path:
    """Where a report is written."""
    return folder / "reports" / student_folder / f"{assignment}.json"


def write_report(path: Path, report: Report) -> None:
    """Writes one report; a reader sees the old file or the new one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, encoded(report))


def remove_stale(folder: Path, report: Report, taken: Collection[str]) -> None:
    """Removes a student's older report of the assignment under another of their folder names.

    A student's folder has another name where somebody else's would clash with it. `taken`: the folders of all who are
    graded now; nothing is removed from these.
    """
    for longer in range(len(_DIGESTS) + 1):
        name = _folder_name(report.student, longer)
        path = report_path(folder, name, report.assignment)
        if _folded(name) not in map(_folded, taken) and _student_of(path) == report.student:
            path.unlink(missing_ok=True)
            with contextlib.suppress(OSError):  # reports of other assignments lie there
                path.parent.rmdir()


def _student_of(path: Path) -> str | None:
    try:
        return msgspec.json.decode(path.read_bytes(), type=_Owner).student
    except (OSError, msgspec.DecodeError):  # none there, or a file that is not ours
        return None


class _Owner(msgspec.Struct):
    student: str


def encoded(value: Any) -> bytes:
    """JSON with two-space indents and a final newline. On a terminal it does nothing but stand there."""
    text = msgspec.json.format(msgspec.json.encode(value), indent=2).decode("utf-8")
    return (harmless(text) + "\n").encode("utf-8")


def harmless(json: str) -> str:
    """The same JSON with what drives a terminal, or cannot be seen, written as escapes: it stands only in strings."""
    return _UNSEEN.sub(lambda found: _escaped(found[0]), json)


def _escaped(character: str) -> str:
    if unicodedata.category(character) not in _CATEGORIES:
        return character
    units = character.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[place]:02x}{units[place + 1]:02x}" for place in range(0, len(units), 2))


def write_whole(path: Path, content: bytes) -> None:
    """Replaces a file at once, so that whatever stops us leaves no half of one."""
    scratch = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        scratch.write_bytes(content)
        scratch.replace(path)
    finally:
        scratch.unlink(missing_ok=True)


# ---------------------------------------------------------------------------------------------------------- summary


def summary(
    reports: Sequence[Report], seconds: float, cpu_seconds: float, phases: Mapping[str, float]
) -> dict[str, Any]:
    """A class in one object: counts, means, findings by id, where CPU time went in percent."""
    return {
        "schema": 1,
        "submissions": len(reports),
        "statuses": dict(sorted(Counter(report.status for report in reports).items())),
        "assignments": {name: _of_assignment(own) for name, own in sorted(_by_assignment(reports).items())},
        "seconds": round(seconds, 3),
        "cpu_seconds": round(cpu_seconds, 3),
        "cpu_percent": percentages(phases, cpu_seconds),
    }


def percentages(phases: Mapping[str, float], whole: float) -> dict[str, float]:
    """Each phase's share of all CPU seconds, the largest first; what no phase claims is "other"."""
    if whole <= 0:
        return {}
    shares = {name: round(100 * value / whole, 1) for name, value in phases.items()}
    shares["other"] = round(max(0.0, 100 - sum(shares.values())), 1)
    return dict(sorted(shares.items(), key=lambda pair: -pair[1]))


def _by_assignment(reports: Sequence[Report]) -> dict[str, list[Report]]:
    grouped: dict[str, list[Report]] = {}
    for report in reports:
        grouped.setdefault(report.assignment, []).append(report)
    return grouped


def _of_assignment(reports: Sequence[Report]) -> dict[str, Any]:
    findings = Counter(id_ for report in reports for id_ in {name for f in report.findings for name in _ids(f)})
    return {
        "submissions": len(reports),
        "mean_score": round(sum(report.score for report in reports) / len(reports), 3),
        "max_score": max(report.max_score for report in reports),
        "findings": dict(sorted(findings.items(), key=lambda pair: (-pair[1], pair[0]))),
    }


def _ids(finding: Finding) -> list[str]:
    """What a finding counts as: its mistakes, "one of", or "unknown"."""
    if finding.mistakes:
        return [mistake.id for mistake in finding.mistakes]
    return ["one-of"] if finding.one_of else ["unknown"]
