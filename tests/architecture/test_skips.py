"""In CI a test that did not run for want of a package is a failure; one that wants a device is not."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

CONFTEST = Path(__file__).resolve().parents[1] / "conftest.py"

ABSENT_IN_A_TEST = 'import pytest\ndef test_it():\n    pytest.skip("nbgrader is not installed")\n'
ABSENT_IN_A_FILE = 'import pytest\npytest.importorskip("no_such_package")\ndef test_it():\n    pass\n'
NO_DEVICE = 'import pytest\n@pytest.mark.skip(reason="needs a GPU")\ndef test_it():\n    pass\n'


def run_pytest(folder, source, **environment):
    (folder / "conftest.py").write_text(CONFTEST.read_text(encoding="utf-8"), encoding="utf-8")
    (folder / "test_it.py").write_text(source, encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", str(folder), str(folder)]
    clean = {name: value for name, value in os.environ.items() if name != "ATTN_NO_SKIPS"}
    return subprocess.run(
        command, env=clean | environment, cwd=folder, check=False, capture_output=True, text=True, encoding="utf-8"
    )


@pytest.mark.parametrize("source", [ABSENT_IN_A_TEST, ABSENT_IN_A_FILE])
def test_a_skip_for_want_of_a_package_fails_in_ci(tmp_path, source):
    done = run_pytest(tmp_path, source, ATTN_NO_SKIPS="1")
    assert done.returncode in {1, 2}, done.stdout
    assert "must not be skipped here" in done.stdout


@pytest.mark.parametrize("source", [ABSENT_IN_A_TEST, NO_DEVICE])
def test_elsewhere_a_skip_is_a_skip(tmp_path, source):
    done = run_pytest(tmp_path, source)
    assert "1 skipped" in done.stdout


def test_a_skip_for_want_of_a_device_is_a_skip_in_ci_too(tmp_path):
    done = run_pytest(tmp_path, NO_DEVICE, ATTN_NO_SKIPS="1")
    assert "1 skipped" in done.stdout
