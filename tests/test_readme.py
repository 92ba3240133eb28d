"""Every command of the README is run, or is proved to be one that CI runs."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from functools import cache
from importlib.metadata import entry_points
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]

DEMO = 'pip install -c constraints.txt -e ".[course]" && attn demo'
TEST = 'pip install -c constraints.txt -e ".[test]" && pytest'


def blocks(language, text=README):
    return re.findall(rf"^```{language}\n(.*?)^```", text, flags=re.MULTILINE | re.DOTALL)


COMMANDS = [line for block in blocks("bash") for line in block.splitlines()]
CI = (ROOT / ".ci/run").read_text(encoding="utf-8").splitlines()
TO_RUN = [command for command in COMMANDS if command not in {DEMO, TEST, *CI}]


@pytest.fixture(scope="module")
def clone(tmp_path_factory):
    """What a reader has: the files of the repository that commands read, and the answer that the README shows."""
    folder = tmp_path_factory.mktemp("clone")
    for name in ("solutions", "assignments", "tests/submissions"):
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
    if program == "mkdir":
        return [program, *arguments]
    assert program == "pytest"
    installed = any(point.name == "attn" for point in entry_points(group="pytest11"))
    plugin = [] if installed else ["-p", PROJECT["entry-points"]["pytest11"]["attn"]]
    return [sys.executable, "-m", "pytest", *plugin, *arguments]


@pytest.fixture(scope="module")
def run(clone):
    """Runs a command in the clone, once for all tests that ask."""
    return cache(lambda command: done_in(clone, command))


def done_in(folder, command):
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
    return {1} if command in {"attn check answer.py", *pytest_commands()} else {0}


def pytest_commands():
    return [command for command in TO_RUN if command.startswith("pytest")]


@pytest.mark.parametrize("command", TO_RUN)
def test_a_command_of_the_readme_does_what_it_says(command, run):
    done = run(command)
    assert done.returncode in expected_codes(command), done.stdout + done.stderr
    assert "Traceback" not in done.stdout + done.stderr


def test_demo_grades_a_class_and_says_where_the_results_are(demo):
    assert demo.code == 0, demo.stderr
    assert "Traceback" not in demo.stdout + demo.stderr
    assert (demo.out / "summary.json").is_file()
    assert demo.out.name in demo.stdout


def test_check_says_what_the_readme_shows(run):
    [check] = [command for command in TO_RUN if command.startswith("attn check")]
    [shown] = blocks("text")
    [hint] = re.findall(r"a question:\s+\*(.*?)\*", README)
    said = run(check).stdout
    assert shown in said
    assert f"hint: {hint}" in said


def test_grade_writes_a_report_for_each_submission(clone, run):
    [grade] = [command for command in TO_RUN if "--out results" in command]
    run(grade)
    handed_in = [path for path in (clone / "tests/submissions/02_qkv_projections").iterdir() if path.suffix != ".toml"]
    assert len(list((clone / "results/reports").glob("*/02_qkv_projections.json"))) == len(handed_in)
    assert (clone / "results/summary.json").is_file()


def test_the_two_commands_stand_at_the_top():
    assert COMMANDS[:2] == [DEMO, TEST]


def test_ci_runs_the_test_command_that_the_readme_gives():
    assert f"test_command=$(grep -Fx '{TEST}' README.md)" in CI
    assert 'bash -c "$test_command"' in CI


def test_ci_runs_what_is_not_run_here():
    assert set(COMMANDS) - set(TO_RUN) == {DEMO, TEST, "attn build --check", "attn prove"}


def test_ci_runs_what_contributors_are_told_to_run():
    contributing = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    commands = {line.split("#")[0].strip() for block in blocks("bash", contributing) for line in block.splitlines()}
    assert commands - {"pytest"} <= {TEST, *CI}  # TEST ends with it


def test_what_the_commands_install_exists():
    assert {"course", "test"} <= set(PROJECT["optional-dependencies"])
    assert PROJECT["scripts"] == {"attn": "autograder.cli:main"}
    assert "attn-course[course]" in PROJECT["optional-dependencies"]["test"]


def test_what_the_readme_points_to_exists():
    targets = re.findall(r"\]\(([^)#:]+)\)", README)
    assert not [target for target in targets if not (ROOT / target).exists()]
