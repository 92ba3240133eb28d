"""What cannot be done as asked: one clear line on stderr, the right exit code, nothing on stdout, nothing written."""

import os
from pathlib import Path

import pytest
import torch

WHICH = "attn: cannot tell which assignment {tmp}/x.py belongs to; say --assignment NAME, one of: "
NO_KIND = "attn: {tmp}/notes.txt is neither a notebook (.ipynb) nor a Python file (.py)\n"
NO_PLACE = "attn: cannot write into {tmp}/notes.txt: Not a directory\n"
BAD_REQUESTS = [
    (["grade", "{tmp}/nowhere"], "attn: no such file or folder: {tmp}/nowhere\n"),
    (["grade", "{tmp}/empty"], "attn: no submissions (.ipynb or .py) in {tmp}/empty\n"),
    (["grade", "{tmp}/notes.txt"], NO_KIND),
    (["grade", "{tmp}/ann.py", "--jobs", "0"], "attn: --jobs must be 1 or more, not 0\n"),
    (["grade", "{tmp}/ann.py", "--device", "tpu"], "attn: --device is cpu, cuda, mps or auto, not tpu\n"),
    (["grade", "{tmp}/ann.py", "--lang", "fr"], "attn: --lang is one of en, ja, not fr\n"),
    (
        ["grade", "{tmp}/ann.py", "--out", "{tmp}/notes.txt"],
        "attn: cannot write into {tmp}/notes.txt: Not a directory\n",
    ),
    (
        ["grade", "{tmp}/ann.py", "--secret-file", "{tmp}/none"],
        "attn: cannot read a secret from {tmp}/none: No such file or directory\n",
    ),
    (["grade", "{tmp}/ann.py", "--secret-file", "{tmp}/notes.txt"], "attn: the secret in {tmp}/notes.txt is empty\n"),
    (
        ["grade", "{tmp}/x.py"],
        WHICH,
    ),
    (["check", "{tmp}/nowhere.py"], "attn: no such file or folder: {tmp}/nowhere.py\n"),
    (["check", "{tmp}/empty"], "attn: {tmp}/empty is a folder; name one file to check\n"),
    (["check", "{tmp}/nowhere.py", "--lang", "ja"], "attn: ファイルもフォルダも見つかりません: {tmp}/nowhere.py\n"),
]


@pytest.fixture
def place(tmp_path):
    (tmp_path / "empty").mkdir()
    (tmp_path / "notes.txt").write_text("  \n", encoding="utf-8")
    (tmp_path / "ann.py").write_text("def causal_mask(n): ...\n", encoding="utf-8")
    (tmp_path / "x.py").write_text("x = 1\n", encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(
    ("arguments", "line"), BAD_REQUESTS, ids=lambda case: " ".join(case) if isinstance(case, list) else ""
)
def test_a_request_that_cannot_be_met_gets_one_line(attn, place, arguments, line):
    before = sorted(place.rglob("*"))
    ran = attn(*(argument.format(tmp=place) for argument in arguments))
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith(line.format(tmp=place))
    assert ran.err.count("\n") == 1
    assert sorted(place.rglob("*")) == before


def test_an_unknown_assignment_gets_the_closest(attn, place):
    ran = attn("grade", place / "ann.py", "--assignment", "04_maskd_softmax")
    assert (ran.code, ran.out) == (2, "")
    assert "did you mean 04_masked_softmax?" in ran.err
    assert ran.err.count("\n") == 1


@pytest.mark.skipif(torch.backends.mps.is_available(), reason="this machine has one")
def test_a_device_that_is_not_there(attn, place):
    ran = attn("grade", place / "ann.py", "--device", "mps")
    assert (ran.code, ran.out, ran.err) == (2, "", "attn: this machine has no mps device that PyTorch can use\n")


@pytest.mark.parametrize(
    "arguments", [[], ["grade"], ["nope"], ["grade", "--nope", "x"], ["grade", "x", "--jobs", "two"]]
)
def test_wrong_usage_is_code_2(attn, arguments):
    assert attn(*arguments).code == 2


@pytest.mark.parametrize(
    ("option", "variables", "language"),
    [
        ("ja", {"ATTN_LANG": "en"}, "ja"),
        (None, {"ATTN_LANG": "ja", "LANG": "en_US.UTF-8"}, "ja"),
        (None, {"LANG": "ja_JP.UTF-8"}, "ja"),
        (None, {"ATTN_LANG": "en", "LANG": "ja_JP.UTF-8"}, "en"),
        (None, {"ATTN_LANG": "fr", "LANG": "de_DE.UTF-8"}, "en"),
        (None, {}, "en"),
    ],
)
def test_the_language_is_the_options_then_the_environments(monkeypatch, option, variables, language):
    from autograder.cli.options import language_of

    for name in ("ATTN_LANG", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert language_of(option) == language


def test_the_version_is_told(attn):
    from autograder import __version__

    ran = attn("--version")
    assert (ran.code, ran.out) == (0, f"attn {__version__}\n")


@pytest.mark.parametrize("command", ["grade", "check", "demo", "doctor", "prove"])
def test_every_command_has_help(attn, command):
    ran = attn(command, "--help")
    assert ran.code == 0
    assert f"Usage: attn {command}" in ran.out


def test_our_own_failure_is_one_line_and_code_3(attn, place, monkeypatch):
    def fail(*_, **__):
        raise ZeroDivisionError("a bug\nof ours")

    monkeypatch.setattr("autograder.cli.places.collect", fail)
    ran = attn("grade", place / "ann.py")
    expected = "attn: attn failed, and not because of a submission: ZeroDivisionError: a bug of ours\n"
    assert (ran.code, ran.out, ran.err) == (3, "", expected)


def test_a_fault_in_an_authored_folder_is_one_line_and_code_3(attn, place, monkeypatch):
    from autograder.model import ContentError

    def fail(*_):
        raise ContentError("solutions/04_masked_softmax/assignment.toml: unknown key 'pionts'")

    monkeypatch.setattr("autograder.cli.places.load", fail)
    ran = attn("grade", place / "ann.py", "--assignment", "04")
    assert (ran.code, ran.err) == (3, "attn: solutions/04_masked_softmax/assignment.toml: unknown key 'pionts'\n")


def test_each_fault_of_an_authored_folder_is_a_line(attn, place, monkeypatch):
    from autograder.model import ContentError

    def fail(*_):
        raise ContentError("a.toml: unknown key 'x'\nb.toml: unknown key 'y'")

    monkeypatch.setattr("autograder.cli.places.load", fail)
    ran = attn("grade", place / "ann.py", "--assignment", "04")
    assert (ran.code, ran.err) == (3, "attn: a.toml: unknown key 'x'\nattn: b.toml: unknown key 'y'\n")


@pytest.mark.skipif(os.name == "nt", reason="Windows has no file without an end")
def test_a_secret_without_an_end_is_not_read_to_its_end():
    from autograder.cli.options import secret_in

    assert secret_in(Path("/dev/zero")) == secret_in(Path("/dev/zero"))


@pytest.mark.parametrize(
    ("file", "assignment", "device", "command"),
    [
        (None, None, "cpu", "attn check"),
        (Path("answer.py"), "04", "cpu", "attn check answer.py --assignment 04"),
        (Path("my answer.py"), None, "cuda", "attn check 'my answer.py' --device cuda"),
    ],
)
def test_a_command_to_type_again_can_be_typed(file, assignment, device, command):
    from autograder.cli.check import _command

    assert _command(file, assignment, device) == command


def test_a_debugger_gets_the_traceback(attn, place, monkeypatch):
    def fail(*_, **__):
        raise ZeroDivisionError("a bug")

    monkeypatch.setattr("autograder.cli.places.collect", fail)
    monkeypatch.setenv("ATTN_DEBUG", "1")
    with pytest.raises(ZeroDivisionError):
        attn("grade", place / "ann.py")


def test_ctrl_c_says_what_is_kept(attn, place, monkeypatch):
    def interrupt(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("autograder.cli.places.collect", interrupt)
    ran = attn("grade", place / "ann.py", "--lang", "ja")
    assert (ran.code, ran.err) == (130, "attn: 中断しました。ここまでに書いたファイルはすべてそろっています\n")
