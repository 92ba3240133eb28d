"""Reports and their summary as files. Each file appears whole or not at all."""

from __future__ import annotations

import hashlib
import os
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from autograder.course.troubles import Refused
from autograder.model import Finding, Report

_LONGEST_NAME = 80  # characters; file systems stop at 255 bytes
_ALLOWED = "-_."
# Names that Windows keeps for devices, whatever their suffix.
_DEVICES = {"con", "prn", "aux", "nul", *(f"{port}{number}" for port in ("com", "lpt") for number in range(10))}


def folder_names(students: Iterable[str]) -> dict[str, str]:
    """For each student a folder name that is safe everywhere and no other student's, capitals and accents apart or not.

    A name that needs no change is kept; any other gets a few letters that depend on the id alone.
    """
    ids = sorted(set(students))
    plain = {student: _plain(student) for student in ids}
    shared = Counter(name.casefold() for name in plain.values())
    return {
        student: name if name == _composed(student) and shared[name.casefold()] == 1 else f"{name}-{_digest(student)}"
        for student, name in plain.items()
    }


def _plain(student: str) -> str:
    kept = "".join(c if c.isalnum() or c in _ALLOWED else "_" for c in _composed(student))
    kept = kept.strip(".")[:_LONGEST_NAME]
    return f"{kept}_" if not kept or kept.split(".")[0].casefold() in _DEVICES else kept


def _composed(student: str) -> str:
    return unicodedata.normalize("NFC", student)


def _digest(student: str) -> str:
    return hashlib.sha256(student.encode("utf-8", "surrogatepass")).hexdigest()[:8]


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


def encoded(value: Any) -> bytes:
    """JSON with two-space indents and a final newline."""
    return msgspec.json.format(msgspec.json.encode(value), indent=2) + b"\n"


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
