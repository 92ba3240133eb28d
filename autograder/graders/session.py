"""A pytest session that grades one submission: fixtures, marks, collection, verdicts."""

from __future__ import annotations

import ast
import contextlib
import io
import os
import traceback
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import torch

from autograder.calls import Callback, Helper, Outcome
from autograder.graders.ask import Asker, callback_argument, callback_arguments, helper_argument
from autograder.graders.marks import GRADERS, register_marks
from autograder.graders.prepared import CallsDepend, Prepared
from autograder.graders.run import Failure, Manner, Run
from autograder.model import Message, TestStatus
from autograder.targets import Target
from autograder.targets.sandboxed import Sandboxed

MEBIBYTE = 1 << 20

# A session per submission has to start in milliseconds; what a grading run does not use stays out. unraisableexception
# alone collects garbage over all of torch (150 ms); capture would swallow nothing, since submissions run elsewhere.
_UNUSED = (
    "terminal cacheprovider unraisableexception threadexception logging warnings doctest unittest junitxml pastebin "
    "faulthandler tmpdir setuponly setupplan stepwise debugging capture recwarn monkeypatch attn"
).split()

# What an operation raises whose values are not such as it takes.
_OF_VALUES = (ArithmeticError, AttributeError, LookupError, RuntimeError, TypeError, ValueError)


@dataclass(frozen=True, slots=True)
class Ran:
    """One run of one test, done: what diagnosis and the report need of it."""

    test: str  # without "test_"
    key: str  # with the dtype
    function: str
    points: float
    visible: bool
    status: TestStatus
    message: Message | None
    outcomes: tuple[Outcome, ...]


class Session:
    """The plugin object of one grading run. Its fixtures are what an assignment's tests use."""

    def __init__(self, kit: Prepared, target: Target, function: str | None = None) -> None:
        self.kit = kit
        self.target = target
        self.function = function  # whose tests run; None for all
        self.ran: list[Ran] = []
        self._run: Run | None = None

    # ------------------------------------------------------------------------------------------ fixtures

    @pytest.fixture
    def dtype(self) -> torch.dtype:
        """The floating dtype of this run; the mark `dtypes` asks for others."""
        return torch.float32

    @pytest.fixture
    def device(self) -> torch.device:
        """Where inputs are made and submissions compute."""
        return torch.device(self.kit.device)

    @pytest.fixture
    def make(self, request: pytest.FixtureRequest, dtype: torch.dtype) -> Any:
        """Draws inputs."""
        item = request.node
        return self.kit.make(test_name(item), dtype, visible=is_visible(item))

    @pytest.fixture
    def run(self, request: pytest.FixtureRequest, make: Any) -> Iterator[Run]:
        """The recording of this run's calls; the mark `memory` has them made where no more can be taken."""
        key, function = run_key(request.node), points_of(request.node)[0]
        memory = memory_of(request.node)
        if memory is None or not isinstance(self.target, Sandboxed):
            self._run = Run(self.kit, self.target, key, function, make, bounded=memory is None)
            yield self._run
            return
        with self.target.within(memory) as bounded:
            self._run = Run(self.kit, bounded or self.target, key, function, make, bounded=bounded is not None)
            yield self._run

    @pytest.fixture
    def student(self, run: Run) -> Asker:
        """Calls the submission."""
        return Asker(run, Manner("structure"))

    @pytest.fixture
    def agree(self, run: Run) -> Asker:
        """Calls the submission and compares with the reference."""
        return Asker(run, Manner("agreement"))

    @pytest.fixture
    def reference(self, request: pytest.FixtureRequest, make: Any) -> Asker:
        """Calls the reference alone."""
        key = f"{run_key(request.node)}, reference"
        return Asker(Run(self.kit, self.kit.reference(key), key, points_of(request.node)[0], make), Manner("nothing"))

    @pytest.fixture
    def callback(self, run: Run) -> Callable[[str, Callable[[], Callable[..., Any]]], Callback]:
        """Makes a function of the grader into an argument."""
        return lambda name, factory: callback_argument(run, name, factory)

    @pytest.fixture
    def callbacks(self, run: Run) -> Callable[[Callable[[], Mapping[str, Callable[..., Any]]]], dict[str, Callback]]:
        """Makes functions of the grader that belong together into arguments, by name."""
        return lambda factory: callback_arguments(run, factory)

    @pytest.fixture
    def helper(self) -> Callable[[str], Helper]:
        """Makes a function of helpers.py into an argument."""
        return helper_argument

    # ---------------------------------------------------------------------------------------- collection

    @pytest.hookimpl
    def pytest_configure(self, config: pytest.Config) -> None:
        """Makes the marks known, where the installed plugin is off."""
        register_marks(config)

    @pytest.hookimpl
    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        """Runs a test once for each dtype of its mark."""
        mark = metafunc.definition.get_closest_marker("dtypes")
        if mark is not None:
            metafunc.parametrize("dtype", [getattr(torch, name) for name in mark.args], ids=list(mark.args))

    @pytest.hookimpl
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Leaves out the tests of other functions, where one is asked for."""
        if self.function is not None:
            items[:] = [item for item in items if points_of(item)[0] == self.function]

    # -------------------------------------------------------------------------------------------- verdicts

    @pytest.hookimpl(wrapper=True)
    def pytest_pyfunc_call(self, pyfuncitem: pytest.Function) -> Generator[None, object, object]:
        """Runs a grader and keeps its verdict."""
        failure: Failure | None = None
        try:
            yield
        except Exception as error:  # noqa: BLE001 - whatever a grader raises is somebody's verdict
            failure = self._failure(pyfuncitem, error)
        else:
            failure = next(iter(self._failures()), None) or self._unchecked()
        self._keep(pyfuncitem, failure)
        self.settle(failure)
        return True

    def settle(self, failure: Failure | None) -> None:
        """What pytest is told: nothing here, since making its report of a failure costs more than the test."""

    def _failures(self) -> list[Failure]:
        return self._run.failures if self._run else []

    def _unchecked(self) -> Failure | None:
        """The verdict on calls that agree, where nothing keeps them within the memory that they may take."""
        unbounded = self._run is not None and not self._run.bounded
        return Failure("unchecked", Message("memory-unchecked")) if unbounded else None

    def _failure(self, item: pytest.Function, error: Exception) -> Failure:
        if self._failures() and not isinstance(error, CallsDepend):  # that one is a fault whatever went wrong before
            return self._failures()[0]
        if isinstance(error, Failure):
            return error
        if isinstance(error, AssertionError) or self._is_of_events(error):
            return Failure("failed", Message("property", {"test": test_name(item)}))
        return Failure("error", Message("internal", {"text": f"{type(error).__name__}: {error}"}))

    def _is_of_events(self, error: Exception) -> bool:
        """Whether a test may have failed at what a submission handed to the grader's functions, or never did.

        Nobody compares that with anything before the test looks at it. Were it the test's own fault, the reference
        would fail as well.
        """
        if self._run is None or not self._run.hands_out_functions or not isinstance(error, _OF_VALUES):
            return False
        return not any(frame.f_code is Run.ask.__code__ for frame, _ in traceback.walk_tb(error.__traceback__))

    def _keep(self, item: pytest.Function, failure: Failure | None) -> None:
        function, points = points_of(item)
        outcomes = tuple(self._run.outcomes) if self._run else ()
        status: TestStatus = failure.status if failure else "passed"
        message = failure.message if failure else None
        name, key = test_name(item), run_key(item)
        self.ran.append(Ran(name, key, function, points, is_visible(item), status, message, outcomes))
        self._run = None


def run_graders(kit: Prepared, target: Target, *, visible_only: bool = False, function: str | None = None) -> list[Ran]:
    """Runs an assignment's graders on a target, or those of one function, in a pytest session of their own."""
    session = Session(kit, target, function)
    folder = kit.assignment.folder
    names = [name for name in GRADERS if (folder / name).is_file() and not (visible_only and name == "test_hidden.py")]
    arguments = [str(folder / name) for name in names]
    with _quiet(), kit.timed("pytest"):
        code = pytest.main([*_options(folder), *arguments], plugins=[session])
    if code == pytest.ExitCode.INTERRUPTED:  # pytest takes the interrupt for itself
        raise KeyboardInterrupt
    if code not in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED):
        fault = _collection_fault(arguments, code)
        raise RuntimeError(f"pytest could not run the graders of {kit.assignment.name}: {fault}")
    return session.ran


def _options(folder: Path) -> list[str]:
    # Modules are named by their path below rootdir, and found again by that name in the next session of this process:
    # so it is the whole path, or another assignment's tests would be run.
    unused = [option for name in _UNUSED for option in ("-p", f"no:{name}")]
    # Nobody reads how an assertion was wrong, and writing values out can take minutes: assertions stay plain.
    manner = ["--assert=plain", "--import-mode=importlib", "--noconftest"]
    return [*unused, *manner, "-c", os.devnull, "--rootdir", folder.anchor]


@contextlib.contextmanager
def _quiet() -> Generator[None, None, None]:
    """No plugins of the environment, no output: the verdicts are taken from the session, not from text."""
    before = os.environ.get("PYTEST_DISABLE_PLUGIN_AUTOLOAD")
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    try:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            yield
    finally:
        if before is None:
            del os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"]
        else:
            os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = before


def _collection_fault(paths: Sequence[str], code: object) -> str:
    for path in paths:
        try:
            ast.parse(Path(path).read_text(encoding="utf-8"))
        except SyntaxError as error:
            return f"{path}, line {error.lineno}: {error.msg}"
    return f"exit code {code}"


def test_name(item: Any) -> str:
    """A test's name in reports: the function's, without "test_"."""
    return str(item.originalname).removeprefix("test_")


test_name.__test__ = False  # type: ignore[attr-defined]  # pytest would collect it from importing test files


def run_key(item: Any) -> str:
    """The name of one run of a test: with its parameters."""
    return str(item.name).removeprefix("test_")


def is_visible(item: Any) -> bool:
    """Whether learners see the test."""
    return bool(item.path.name == GRADERS[0])


def points_of(item: Any) -> tuple[str, float]:
    """The function that a test belongs to, and what passing it is worth."""
    mark = item.get_closest_marker("points")
    if mark is None or len(mark.args) != len(("function", "points")):
        raise pytest.UsageError(f"{item.nodeid}: a grader needs @pytest.mark.points(function, points)")
    return str(mark.args[0]), float(mark.args[1])


def memory_of(item: Any) -> int | None:
    """The bytes of memory that a test's calls may take, where it says."""
    mark = item.get_closest_marker("memory")
    return None if mark is None else int(mark.args[0]) * MEBIBYTE
