"""What surrounds the grader, its settings and its code page, changes no grade."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from autograder.sandbox.host import Host

ROOT = Path(__file__).resolve().parents[2]
SOLUTION = (ROOT / "solutions" / "02_qkv_projections" / "solution.py").read_text(encoding="utf-8")
# As on machines whose files and terminals are not in UTF-8.
OLD = {
    "a code page for Japanese": ("花子.py", {"PYTHONIOENCODING": "cp932"}),
    "a code page for the West": ("zoë 🎈.py", {"PYTHONIOENCODING": "cp1252"}),
    "no letters but English ones": ("ann.py", {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0"}),
}


@pytest.mark.parametrize("system", OLD)
def test_letters_that_a_code_page_lacks_cost_nothing(system, tmp_path):
    name, settings = OLD[system]
    (tmp_path / name).write_text(f"# 重み ñ 🎈\n{SOLUTION}\nprint('重み ñ 🎈')\n", encoding="utf-8")
    environment = os.environ | settings | {"PYTHONUTF8": "0", "PYTHONPATH": str(ROOT), "ATTN_ALLOW_WEAK_SANDBOX": "1"}
    command = [sys.executable, "-m", "autograder.cli", "grade", str(tmp_path), "--assignment", "02", "--lang", "ja"]
    done = subprocess.run(
        [*command, "--out", str(tmp_path / "out")], cwd=ROOT, env=environment, capture_output=True, check=False
    )
    assert done.returncode == 0, done.stderr
    [report] = (tmp_path / "out" / "reports").rglob("*.json")
    assert json.loads(report.read_text(encoding="utf-8"))["score"] == 20.0


HIJACKED = ("sitecustomize.py", "usercustomize.py", "torch.py", "msgspec.py", "startup.py")


def test_no_setting_of_pythons_brings_code_into_the_sandbox(tmp_path, monkeypatch):
    mark = tmp_path / "ran"
    for name in HIJACKED:
        (tmp_path / name).write_text(f"open({str(mark)!r}, 'w')\nraise SystemExit(1)\n", encoding="utf-8")
    (tmp_path / "hijack.pth").write_text(f"import sys; open({str(mark)!r}, 'w')\n", encoding="utf-8")
    for variable in ("PYTHONPATH", "PYTHONUSERBASE", "HOME", "IPYTHONDIR", "PYTHONPYCACHEPREFIX"):
        monkeypatch.setenv(variable, str(tmp_path))
    monkeypatch.setenv("PYTHONSTARTUP", str(tmp_path / "startup.py"))
    monkeypatch.setenv("PYTHONINSPECT", "1")
    monkeypatch.setenv("LD_PRELOAD", str(tmp_path / "no_such_library.so"))
    monkeypatch.chdir(tmp_path)
    source = "import os\nassert not {'PYTHONPATH', 'LD_PRELOAD', 'PYTHONSTARTUP'} & set(os.environ)\n"
    with Host() as host, host.child() as child:
        [outcome] = child.load([("a", source, 1)])
    assert outcome.raised is None
    assert not mark.exists()
