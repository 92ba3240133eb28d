"""`attn doctor`, and what grading says where the walls are not complete."""

import json
import os
import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path

import pytest

from autograder.sandbox.host import Host
from autograder.sandbox.verifying import Walls

ROOT = Path(__file__).resolve().parents[2]
LAYERS = ("landlock", "seccomp", "rlimits", "capabilities", "no-new-privileges", "hidden-memory", "parent-death")
WEAK = {
    "contained": dict.fromkeys(LAYERS, "on") | {"landlock": "off: Function not implemented"},
    "limits-only": dict.fromkeys(LAYERS, "off: Linux only"),
}


@pytest.fixture
def walls(monkeypatch):
    """Let the probes find what another machine has, where nobody has said that it will do."""
    monkeypatch.delenv("ATTN_ALLOW_WEAK_SANDBOX", raising=False)
    return lambda level: monkeypatch.setattr(Host, "walls", Walls(WEAK[level]))


def test_the_machine_is_described(attn):
    ran = attn("doctor")
    assert (ran.code, ran.err) == (0, "")
    for line in ("sandbox: ", "cpu: ", "torch 2.", "landlock", "seccomp"):
        assert line in ran.out


def test_programs_get_the_same_as_json(attn):
    found = json.loads(attn("doctor", "--json").out)
    assert list(found) == ["versions", "system", "devices", "sandbox"]
    assert found["sandbox"]["level"] in ("full", "contained", "limits-only")
    assert set(LAYERS) < set(found["sandbox"]["layers"])
    assert found["versions"]["python"] == ".".join(map(str, sys.version_info[:3]))


def test_what_is_missing_is_told_with_what_to_do(attn, walls):
    walls("contained")
    out = attn("doctor").out
    assert "sandbox: contained\na submission can read your files" in out
    assert "off  landlock" in out
    assert "Function not implemented\n" in out
    assert "landlock: needs Linux 5.13" in out
    assert "seccomp: needs" not in out
    assert "非公開テスト" in attn("doctor", "--lang", "ja").out


def test_another_system_needs_linux(attn, walls, monkeypatch):
    walls("limits-only")
    monkeypatch.setattr("platform.system", lambda: "Darwin")
    out = attn("doctor").out
    assert "only Linux has these walls" in out
    assert "landlock: needs" not in out


@pytest.mark.parametrize(("level", "word"), [("contained", "could read the hidden tests"), ("limits-only", "network")])
def test_hidden_tests_are_not_run_where_they_could_be_read(attn, walls, level, word, small_class, tmp_path):
    walls(level)
    ran = attn("grade", small_class / "ann.py", "--out", tmp_path / "out")
    assert (ran.code, ran.out) == (2, "")
    assert f"only `{level}`" in ran.err
    assert word in ran.err
    assert "--allow-weak-sandbox" in ran.err
    assert not (tmp_path / "out").exists()


def test_they_are_where_that_is_allowed_and_the_level_is_told(attn, walls, shared_host, small_class):
    walls("contained")
    ran = attn("grade", small_class / "ann.py", "--allow-weak-sandbox")
    assert ran.code == 0
    assert "20" in ran.out


def test_it_may_be_allowed_once_for_all(attn, walls, shared_host, small_class, monkeypatch):
    walls("contained")
    monkeypatch.setenv("ATTN_ALLOW_WEAK_SANDBOX", "1")
    assert attn("grade", small_class / "ann.py").code == 0


def test_a_check_needs_no_walls(attn, walls, shared_host, small_class, tmp_path, monkeypatch):
    walls("limits-only")
    assert attn("check", small_class / "ann.py").code == 0


@pytest.mark.parametrize(("arguments", "code"), [([], 4), (["--allow-weak-sandbox"], 0)])
def test_pytest_asks_for_the_same(arguments, code, small_class, tmp_path):
    plugin = tmp_path / "weak_walls.py"
    plugin.write_text(
        "from autograder.sandbox.host import Host\n"
        "from autograder.sandbox.verifying import Walls\n"
        f"Host.walls = Walls({WEAK['contained']!r})\n",
        encoding="utf-8",
    )
    command = [sys.executable, "-m", "pytest", "-q", "-p", "weak_walls"]
    if not any(point.name == "attn" for point in entry_points(group="pytest11")):  # else pytest finds it by itself
        command += ["-p", "autograder.graders.plugin"]
    command += ["-p", "no:cacheprovider", "solutions/04_masked_softmax", "--submission", str(small_class / "ann.py")]
    paths = os.pathsep.join([str(tmp_path), str(ROOT)])
    ran = subprocess.run(
        [*command, *arguments],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": paths, "ATTN_ALLOW_WEAK_SANDBOX": ""},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert ran.returncode == code, ran.stdout + ran.stderr
    assert ("only `contained`" in ran.stderr) == (code == 4)
