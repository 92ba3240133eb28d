"""Every command of the README is run, or is proved to be one that CI runs."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from importlib.metadata import entry_points
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]

DEMO = 'pip install -c constraints.txt -e ".[course]" && attn demo'
TEST = 'pip install -c constraints.txt -e ".[test]" && pytest'


def blocks(language):
    return re.findall(rf"^```{language}\n(.*?)^```", README, flags=re.MULTILINE | re.DOTALL)


COMMANDS = [line for block in blocks("bash") for line in block.splitlines()]
TO_RUN = [command.split(" && ")[-1] for command in COMMANDS if command != TEST]


@pytest.fixture(scope="module")
def clone(tmp_path_factory):
    """What a reader has: the files of the repository that commands read, and the answer that the README shows."""
    folder = tmp_path_factory.mktemp("clone")
    for name in ("solutions", "tests/submissions"):
        shutil.copytree(ROOT / name, folder / name)
    shutil.copy(ROOT / "pyproject.toml", folder)
    [answer] = blocks("python")
    assert answer.startswith("# answer.py\n")
    (folder / "answer.py").write_text(answer, encoding="utf-8")
    return folder


def argv(command):
    """The command as this interpreter runs it, also where the scripts are not installed."""
    program, *arguments = command.split()
    if program == "attn":
        return [sys.executable, "-c", "from autograder.cli import main; main()", *arguments]
    assert program == "pytest"
    installed = any(point.name == "attn" for point in entry_points(group="pytest11"))
    plugin = [] if installed else ["-p", PROJECT["entry-points"]["pytest11"]["attn"]]
    return [sys.executable, "-m", "pytest", *plugin, *arguments]


def run(command, folder):
    return subprocess.run(
        argv(command),
        cwd=folder,
        env=os.environ | {"PYTHONUTF8": "1", "COLUMNS": "200", "ATTN_LANG": "en"},
        check=False,
        capture_output=True,
        text=True,
        encoding="utf-8",
    )


def expected_codes(command):
    """Its answer is wrong on purpose: that is no error, but `check` and pytest say so by their exit code."""
    return {1} if "answer.py" in command and not command.startswith("attn grade") else {0}


@pytest.mark.parametrize("command", TO_RUN)
def test_a_command_of_the_readme_does_what_it_says(command, clone):
    done = run(command, clone)
    assert done.returncode in expected_codes(command), done.stdout + done.stderr
    assert "Traceback" not in done.stdout + done.stderr


def test_check_says_what_the_readme_shows(clone):
    [check] = [command for command in TO_RUN if command.startswith("attn check")]
    [shown] = blocks("text")
    [hint] = re.findall(r"a question: \*(.*?)\*", README)
    said = run(check, clone).stdout
    assert shown in said
    assert f"hint: {hint}" in said


def test_grade_writes_a_report_for_each_submission(clone):
    [grade] = [command for command in TO_RUN if "--out results" in command]
    run(grade, clone)
    handed_in = [path for path in (clone / "tests/submissions/02_qkv_projections").iterdir() if path.suffix != ".toml"]
    assert len(list((clone / "results/reports").glob("*/02_qkv_projections.json"))) == len(handed_in)
    assert (clone / "results/summary.json").is_file()


def test_the_two_commands_stand_at_the_top():
    assert COMMANDS[:2] == [DEMO, TEST]


def test_ci_runs_the_command_that_the_readme_gives():
    [line] = [line for line in (ROOT / ".ci/run").read_text(encoding="utf-8").splitlines() if "README.md" in line]
    assert line == f"command=$(grep -Fx '{TEST}' README.md)"


def test_what_the_commands_install_exists():
    assert {"course", "test"} <= set(PROJECT["optional-dependencies"])
    assert PROJECT["scripts"] == {"attn": "autograder.cli:main"}
    assert "attn-course[course]" in PROJECT["optional-dependencies"]["test"]


def test_what_the_readme_points_to_exists():
    targets = re.findall(r"\]\(([^)#:]+)\)", README)
    assert not [target for target in targets if not (ROOT / target).exists()]
