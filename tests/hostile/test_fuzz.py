"""Whatever a child sends: bytes become a message or a WireError, and any message becomes a verdict and a report.

ATTN_FUZZ_EXAMPLES sets how many examples are drawn; tests/benchmarks/fuzz.py draws many.
"""

import contextlib

import msgspec
import numpy as np
import pytest
import torch
from fuzzing import BOUNDED, EXAMPLES
from hypothesis import given, settings
from hypothesis import strategies as st

from autograder.calls import Frame, Leaf, Opaque, Outcome, Raised, Status
from autograder.graders.report import findings, report
from autograder.graders.session import run_graders
from autograder.messages import say
from autograder.model import Report, Submission
from autograder.sandbox.nodes import PREFIX, WireError, parse, sizes_of
from autograder.sandbox.records import read_outcome, read_step, write_outcome
from autograder.sandbox.tensors import ARRAY_DTYPES, DTYPES, KEY_CHARACTERS, plain
from autograder.sandbox.wire import Reader, Writer

TEXTS = st.text(max_size=8) | st.sampled_from(["\x1b[2J", "\u202e", "{name}", "[bold]", "<script>", "", "x" * 400])
BRIEF = TEXTS.map(lambda text: text[:KEY_CHARACTERS])  # as keys are
SHAPES = st.lists(st.sampled_from([0, 1, 2, 3, 5, 6, 7]), max_size=3)
NUMBERS = st.sampled_from([0, 1, -1, 2**70, -(2**999), 0.5, 1e308, float("nan"), float("inf"), -0.0, 1j, True])


@st.composite
def tensors(draw):
    dtype = draw(st.sampled_from(sorted(DTYPES)))
    filled = torch.full(draw(SHAPES), draw(st.sampled_from([0, 1, 3])), dtype=DTYPES[dtype])
    if filled.is_floating_point() and filled.numel() and draw(st.booleans()):
        filled.view(-1)[0] = draw(st.sampled_from([float("nan"), float("inf"), -float("inf"), 1e30]))
    return filled.t() if filled.dim() == 2 and draw(st.booleans()) else filled


@st.composite
def arrays(draw):
    return np.ones(draw(SHAPES), dtype=draw(st.sampled_from(sorted(ARRAY_DTYPES))))


OTHERS = st.sampled_from([None, torch.float16, torch.device("cpu"), Opaque("X")])
LEAVES = OTHERS | NUMBERS | TEXTS | tensors() | arrays()
KEYS = st.none() | st.booleans() | st.integers(-3, 3) | st.floats() | BRIEF | st.tuples(st.integers(), st.floats())
VALUES = st.recursive(
    LEAVES,
    lambda inner: (
        st.lists(inner, max_size=3) | st.lists(inner, max_size=3).map(tuple) | st.dictionaries(KEYS, inner, max_size=3)
    ),
    max_leaves=6,
)
NAMES = st.sampled_from(["0", "1", "a", "x", "self.weight", "weight", "0.weight"]) | BRIEF
FRAMES = st.builds(Frame, TEXTS, st.integers(0, 2**40 - 1), TEXTS, TEXTS)
FEW = st.lists(TEXTS, max_size=3).map(tuple)
RAISED = st.builds(Raised, TEXTS, FEW, TEXTS, st.lists(FRAMES, max_size=2).map(tuple))
ENDINGS = st.sampled_from([Status.RETURNED] * 4 + [Status.RAISED, Status.MISSING, Status.OUT_OF_MEMORY, Status.CRASHED])


@st.composite
def outcomes(draw):
    """As a hostile child might send it: well-formed, and about anything."""
    value = draw(VALUES)
    leaf = st.builds(Leaf, st.sampled_from(["cpu", "cuda", "x"]), st.booleans(), st.lists(NAMES, max_size=2).map(tuple))
    leaves = tuple(draw(leaf) for _ in plain(value)[1])
    grads = draw(st.none() | st.dictionaries(NAMES, st.none() | tensors(), max_size=3))
    changed = draw(st.dictionaries(NAMES, VALUES, max_size=2))
    raised = st.none() | RAISED
    ending = draw(ENDINGS)
    why = draw(RAISED if ending is Status.RAISED else raised)
    return Outcome(ending, value, leaves, grads, draw(raised), changed, why)


def sent(outcome):
    """The outcome as the grader reads it."""
    writer = Writer()
    data = bytearray(b"".join(writer.message(write_outcome(writer, outcome))))
    header, payload = sizes_of(memoryview(data)[: PREFIX.size])
    start = PREFIX.size + header
    return read_outcome(Reader(memoryview(data)[start : start + payload]), parse(memoryview(data)[PREFIX.size : start]))


class AnyAnswer:
    """Answers each step with the next of some outcomes."""

    def __init__(self, answers):
        self._answers, self._count = answers, 0

    def begin(self, callbacks):
        pass

    def perform(self, step):
        self._count += 1
        return self._answers[self._count % len(self._answers)]

    def close(self):
        pass


@pytest.mark.filterwarnings("ignore:Casting complex values")
@settings(BOUNDED, max_examples=EXAMPLES or 20)  # each is graded, with a search for mistakes that explain it
@given(answers=st.lists(outcomes(), min_size=1, max_size=4))
def test_any_answers_get_a_verdict_and_a_report(kit, answers):
    runs = run_graders(kit, AnyAnswer([sent(answer) for answer in answers]))
    submission = Submission("ada", kit.assignment.name, "ada.py", sha256="")
    written = msgspec.json.encode(report(kit, submission, runs, diagnosed=findings(kit, runs)))
    read = msgspec.json.decode(written, type=Report)
    assert not [test for test in read.tests if test.status == "error"], read.tests
    for test in read.tests:
        if test.message is not None:
            assert say(test.message.id, "en", **test.message.with_).replace("\n", "").isprintable()


TREES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63 - 1)
    | st.floats()
    | st.text(max_size=4)
    | st.binary(max_size=4)
    | st.sampled_from([*"TNLPDICYVHEKO", "float32", "cpu", "returned", "call"]),
    lambda inner: st.lists(inner, max_size=9) | st.dictionaries(st.text(max_size=2), inner, max_size=2),
    max_leaves=30,
)


@BOUNDED
@given(tree=TREES, payload=st.binary(max_size=64))
def test_any_tree_is_a_value_or_a_wire_error(tree, payload):
    for read in (Reader.value, read_outcome, read_step):
        with contextlib.suppress(WireError):
            read(Reader(memoryview(bytearray(payload))), tree)


@BOUNDED
@given(data=st.binary(max_size=200))
def test_any_bytes_are_a_tree_or_a_wire_error(data):
    with contextlib.suppress(WireError):
        parse(memoryview(data))
    with contextlib.suppress(WireError):
        sizes_of(memoryview(data.ljust(PREFIX.size, b"\0"))[: PREFIX.size])


@BOUNDED
@given(bent=st.lists(st.tuples(st.integers(0, 10**6), st.integers(0, 255)), max_size=5), outcome=outcomes())
def test_any_bent_message_is_an_outcome_or_a_wire_error(bent, outcome):
    writer = Writer()
    data = bytearray(b"".join(writer.message(write_outcome(writer, outcome))))
    for place, byte in bent:
        data[PREFIX.size + place % (len(data) - PREFIX.size)] = byte
    header, _ = sizes_of(memoryview(data)[: PREFIX.size])
    body = memoryview(data)[PREFIX.size :]
    with contextlib.suppress(WireError):
        read_outcome(Reader(body[header:]), parse(body[:header]))
