"""`attn demo` runs at every level of the sandbox, and says at which."""

import functools
import json
import shutil
import sys
from pathlib import Path

import pytest
from corpus import WITHOUT

from autograder.sandbox.host import Host
from autograder.sandbox.limits import CONTAINED, LIMITS_ONLY

ROOT = Path(__file__).resolve().parents[2]
RIGHT = ROOT / "solutions" / "02_qkv_projections" / "solution.py"


@pytest.fixture
def small_sample(tmp_path, monkeypatch):
    """Two submissions in place of the sample class, and no gradebook."""
    folder = tmp_path / "class" / "02_qkv_projections"
    folder.mkdir(parents=True)
    for name in ("ada.py", "bo.py"):
        shutil.copy(RIGHT, folder / name)
    monkeypatch.setattr("autograder.cli.demo.sample_class", lambda: folder.parent)
    monkeypatch.setattr("autograder.cli.demo._course", lambda out: None)


@pytest.mark.parametrize("level", [CONTAINED, LIMITS_ONLY])
def test_the_demo_runs_behind_weaker_walls_and_says_so(level, small_sample, tmp_path, monkeypatch, capfd):
    from autograder.cli import main

    without = WITHOUT[level]
    with Host(without=without) as host:
        if host.level != level:
            pytest.skip(f"no sandbox of the level {level} here")
    monkeypatch.setattr("autograder.cli.class_run.Host", functools.partial(Host, without=without))
    monkeypatch.setattr(sys, "argv", ["attn", "demo", "--out", str(tmp_path / "out"), "--lang", "en"])
    monkeypatch.delenv("ATTN_ALLOW_WEAK_SANDBOX", raising=False)
    with pytest.raises(SystemExit) as ended:
        main()
    assert not ended.value.code
    assert f"sandbox: {level}" in capfd.readouterr().out
    reports = [json.loads(path.read_text(encoding="utf-8")) for path in (tmp_path / "out").rglob("reports/**/*.json")]
    assert [(one["status"], one["score"], one["sandbox"]["level"]) for one in reports] == [("graded", 20.0, level)] * 2
