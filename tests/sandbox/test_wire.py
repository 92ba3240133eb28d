"""Messages: whatever goes in comes out, and whatever is bent on the way is a WireError and nothing else."""

import math
import random
import tracemalloc

import msgspec
import numpy as np
import pytest
import torch

from autograder.calls import (
    Action,
    Callback,
    Event,
    Frame,
    Handle,
    Helper,
    Leaf,
    Opaque,
    Outcome,
    Raised,
    Status,
    Step,
)
from autograder.compare import Expected, difference, leaves, path_text, signature
from autograder.sandbox.limits import Limits
from autograder.sandbox.nodes import PREFIX, VALUE_LIMIT, WireError, parse, sizes_of
from autograder.sandbox.records import read_outcome, read_step, write_outcome, write_step
from autograder.sandbox.tensors import plain
from autograder.sandbox.wire import Reader, Writer

STEP = Step(
    Action.METHOD,
    "append",
    (torch.arange(6.0).reshape(2, 3).T, [Handle(3), {"fn": Helper("mean")}], Callback("clock")),
    {"scale": 0.5, "mask": torch.tensor([True, False])},
    Handle(1),
    Handle(2),
    (torch.ones(2, dtype=torch.bfloat16), None),
    11,
)
RAISED = Raised("ValueError", ("Exception", "object"), "größer", (Frame("cell 3", 7, "raise ValueError", "f"),))
OUTCOME = Outcome(
    Status.RETURNED,
    (torch.ones(2, 3), [None, np.eye(2)]),
    (Leaf("cuda", True, ("0", "mask")),),
    {"0": torch.ones(2), "1": None},
    RAISED,
    {"0": torch.zeros(2)},
    RAISED,
    (Event("clock", (1, torch.ones(1)), 2.0),),
    ("torch.nn.functional.softmax",),
)


def message_of(write, thing):
    writer = Writer()
    return b"".join(writer.message(write(writer, thing)))


def read_message(read, data):
    """What a receiver does with bytes: prefix, header, payload."""
    if len(data) < PREFIX.size:
        raise WireError("short")
    header, payload = sizes_of(memoryview(data[: PREFIX.size]))
    rest = memoryview(bytearray(data[PREFIX.size :]))
    if len(rest) != header + payload:
        raise WireError("short")
    return read(Reader(rest[header:]), parse(rest[:header]))


def round_trip(value):
    return read_message(Reader.value, message_of(Writer.node, value))


def assert_same(a, b):
    """Equality that looks into tensors, arrays and NaN."""
    assert type(a) is type(b)
    if isinstance(a, torch.Tensor):
        assert (a.dtype, a.shape) == (b.dtype, b.shape)
        assert torch.equal(a.contiguous().reshape(-1).view(torch.uint8), b.contiguous().reshape(-1).view(torch.uint8))
    elif isinstance(a, np.ndarray):
        assert (a.dtype, a.shape, a.tobytes()) == (b.dtype, b.shape, b.tobytes())
    elif isinstance(a, (list, tuple)):
        assert len(a) == len(b)
        for x, y in zip(a, b, strict=True):
            assert_same(x, y)
    elif isinstance(a, dict):
        assert list(a) == list(b)
        for key in a:
            assert_same(a[key], b[key])
    elif hasattr(a, "__dataclass_fields__"):
        for name in a.__dataclass_fields__:
            assert_same(getattr(a, name), getattr(b, name))
    else:
        assert a == b or (math.isnan(a) and math.isnan(b))


@pytest.mark.parametrize(
    "value",
    [
        *(None, True, 3, -(2**63), 2**63, 10**300, -(10**300), 0.1, math.inf, math.nan, -0.0, "ä\n", "", 1 - 2j),
        [1, (2, [3, ()]), {}],
        {"a": {1: (None,), (1, "b"): 2.0, None: False}},
        [torch.float16, torch.device("cuda", 1), torch.device("cpu")],
        [Opaque("T"), Handle(0), Helper("h"), Callback("c")],
        np.array(3.5),
        np.arange(6, dtype=">i4").astype("uint16").reshape(2, 3)[:, ::2],
        np.zeros((0, 3), dtype=bool),
    ],
)
def test_values_arrive_as_they_were(value):
    assert_same(round_trip(value), value)


@pytest.mark.parametrize("dtype", ["float64", "float32", "float16", "bfloat16", "int64", "uint8", "bool", "complex64"])
@pytest.mark.parametrize("shape", [(), (0,), (3,), (2, 0, 3), (2, 3, 4)])
def test_tensors_arrive_as_they_were(dtype, shape):
    tensor = (torch.rand(shape, dtype=torch.float64) * 9 - 4).to(getattr(torch, dtype))
    assert_same(round_trip([tensor, 1, tensor]), [tensor, 1, tensor])


def test_numbers_that_are_none_arrive_bit_for_bit():
    tensor = torch.tensor([math.nan, -math.inf, -0.0, 5e-324], dtype=torch.float64)
    assert_same(round_trip(tensor), tensor)


@pytest.mark.parametrize("lazy", [torch.tensor([1 + 2j]).conj(), torch.tensor([1 + 2j]).conj().imag])
def test_lazily_conjugated_tensors_arrive_as_they_look(lazy):
    assert round_trip(lazy).tolist() == lazy.tolist()


def test_a_single_element_out_of_a_larger_tensor_arrives():
    assert round_trip(torch.arange(6.0)[4::7]).tolist() == [4.0]


def test_strides_arrive():
    for tensor in (torch.rand(2, 3, 4).permute(2, 0, 1), torch.rand(4, 6)[:, ::2], torch.rand(3, 1).expand(3, 5)):
        assert round_trip(tensor).stride() == tensor.stride()
        assert torch.equal(round_trip(tensor), tensor)
    for array in (np.arange(6.0).reshape(2, 3).T, np.arange(12.0).reshape(3, 4)[::-1, ::2], np.arange(3) == 1):
        assert round_trip(array).strides == array.strides
        assert_same(round_trip(array), array)


@pytest.mark.parametrize(
    "value",
    [
        object(),
        {1, 2},
        b"bytes",
        range(3),
        torch.ones(2).to_sparse(),
        torch.ones(2, device="meta"),
        np.array([None]),
        {Opaque("x"): 1},
        [10**6000],
        "\ud800",
        print,
    ],
)
def test_what_is_no_plain_value_is_refused(value):
    with pytest.raises(WireError):
        message_of(Writer.node, value)


def test_a_bottomless_value_is_refused():
    value = []
    value.append(value)
    with pytest.raises(WireError):
        message_of(Writer.node, value)


def test_steps_and_outcomes_arrive_whole():
    assert_same(read_message(read_step, message_of(write_step, STEP)), STEP)
    assert_same(read_message(read_outcome, message_of(write_outcome, OUTCOME)), OUTCOME)


def test_a_byte_that_is_no_bool_becomes_one():
    tensor = Reader(memoryview(bytearray([2, 0, 255, 1]))).value(["T", "bool", [4], None, 0, 4, "cpu"])
    assert tensor.view(torch.uint8).tolist() == [1, 0, 1, 1]


@pytest.mark.parametrize(
    "node",
    [
        ["T", "float32", [2], None, 0, 4, "cpu"],
        ["T", "float32", [2], None, 0, 16, "cpu"],
        ["T", "float32", [2], None, 16, 8, "cpu"],
        ["T", "float32", [2], None, 4, 8, "cpu"],
        ["T", "float32", [2], None, -8, 8, "cpu"],
        ["T", "float32", [-2], None, 0, 8, "cpu"],
        ["T", "float32", [2.0], None, 0, 8, "cpu"],
        ["T", "float32", [True, 2], None, 0, 8, "cpu"],
        ["T", "float32", [2**20, 2**20, 2**30], None, 0, 8, "cpu"],
        ["T", "float32", [2**39, 2**39, 0], None, 0, 0, "cpu"],
        ["T", "float32", [1] * 70 + [2], None, 0, 8, "cpu"],
        ["T", "float32", [2], [2**30], 0, 8, "cpu"],
        ["T", "float32", [2], [-1], 0, 8, "cpu"],
        ["T", "float32", [2], [1, 1], 0, 8, "cpu"],
        ["T", "float32", [2, 1, 1], [1, 2**39, "x"], 0, 8, "cpu"],
        ["T", "float128", [2], None, 0, 8, "cpu"],
        ["T", "float32", [2], None, 0, 8, "tpu"],
        ["T", "float32", [2], None, 0, 8],
        ["N", "object", [1], None, 0, 8],
        ["N", "float64", [2], None, 0, 8],
        ["N", "float64", [0, 2**39, 2**39], None, 0, 0],
        ["N", "float64", [2], [2**20], 0, 16],
        ["N", "float64", [2], [-(2**62)], 0, 16],
        ["N", "float64", [2], [8, 8], 0, 16],
        ["N", "float64", [2], ["x"], 0, 16],
        ["N", "float64", [2], 8, 0, 16],
        ["I", "zz"],
        ["I", "0x" + "f" * 10_000],
        ["C", 1, 2],
        ["D", [[1]]],
        ["D", [[["L", []], 1]]],
        ["D", {}],
        ["D", [[number, None] for number in range(300)]],
        ["L", [["D", [[["P", [number]], None] for number in range(20)]]] * 20],
        ["D", [["k" * 101, 1]]],
        ["D", [[["P", ["k" * 60, ["P", ["k" * 60]]]], 1]]],
        ["D", [[["P", [0] * 17], 1]]],
        ["D", [[["P", [["P", [0] * 9]] * 2], 1]]],
        ["L", 3],
        ["Y", "Tensor"],
        ["V", "nowhere", None],
        ["H", -1],
        ["H", "0"],
        ["O", None],
        ["?", 1],
        [],
        [1, 2],
        {"a": 1},
        b"x",
    ],
)
def test_a_bent_node_is_refused(node):
    with pytest.raises(WireError):
        Reader(memoryview(bytearray(16))).value(node)


@pytest.mark.parametrize("tree", [{}, [{}], ["D", {"a": 1}], {(1, 2): 3}, b"x", [b"x"], msgspec.msgpack.Ext(1, b"x")])
def test_a_header_is_made_of_lists_and_plain_values_alone(tree):
    header = msgspec.msgpack.encode(tree)
    with pytest.raises(WireError):
        parse(memoryview(header))


def test_a_dict_of_many_names_arrives_and_one_of_many_numbers_does_not():
    names, numbers = {str(i): i for i in range(1000)}, {i: i for i in range(1000)}
    assert plain(names)[0] == names
    assert plain(numbers)[0] == Opaque("dict")


@pytest.mark.parametrize("key", ["k" * 101, (1, ("k" * 60,), "k" * 60), (0,) * 17, ((0,) * 9, (0,) * 9), ("k", 1j)])
def test_a_dict_with_a_key_that_fills_pages_does_not_arrive(key):
    assert plain({"a": {key: [0] * 1000}})[0] == {"a": Opaque("dict")}


@pytest.mark.parametrize("key", ["k" * 100, (1, ("k" * 50,), "k" * 50), (0,) * 16])
def test_a_dict_with_a_key_that_can_be_read_arrives(key):
    assert round_trip(plain({key: 1.0})[0]) == {key: 1.0}


@pytest.mark.parametrize(
    "value", [[0] * 19_000, [[0.5] * 100] * 190, {str(i): None for i in range(19_000)}, [("", True)] * 4_000]
)
def test_what_is_still_plain_data_can_be_sent(value):
    assert round_trip(plain(value)[0]) == value


@pytest.mark.parametrize("value", [[0] * 20_000, [[0.5] * 100] * 200, dict.fromkeys(map(str, range(20_000)))])
def test_more_than_any_answer_needs_is_no_plain_data(value):
    assert "Opaque" in str(plain(value)[0])


@pytest.mark.parametrize("part", [0, 0.5, "", None, True, ["L", []], ["D", [["a", 1]]], ["C", 0.0, 0.0]])
def test_a_message_of_too_many_values_is_refused_whatever_they_are(part):
    for node in (["L", [part] * VALUE_LIMIT], ["L", [["L", [part] * 1000]] * 50], ["L", [["P", [part]]] * 25_000]):
        with pytest.raises(WireError, match="too many values"):
            Reader(memoryview(b"")).value(node)


def test_all_answers_that_may_be_kept_take_little_memory_compared():
    """The longest keys, each sign of which is shown as ten, around as many numbers as a message may hold."""
    node = ["L", [0.5] * (VALUE_LIMIT - 100)]
    for _ in range(30):
        node = ["D", [["\U000e0001" * 100, node]]]
    reader = Reader(memoryview(b""), header_bytes=len(msgspec.msgpack.encode(node)))
    right = Outcome(Status.RETURNED, torch.ones(2, 3))
    expected, given = Expected(right, right), Outcome(Status.RETURNED, reader.value(node))
    tracemalloc.start()
    try:
        kept = signature(given, expected)
        assert difference(given, expected)
        now, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert len(kept.parts) == VALUE_LIMIT - 100
    assert peak < 60 << 20
    assert now * Limits().answer_bytes / reader.held_bytes < 300 << 20


def test_a_path_is_written_as_python_would():
    value = {"a": [1, (2, {(3, "b"): 4})], "c": []}
    assert [path_text(path) for path, _ in leaves(value)] == ["['a'][0]", "['a'][1][0]", "['a'][1][1][(3, 'b')]"]
    assert [path_text(path) for path, _ in leaves(5)] == [""]


def test_strides_that_overlap_are_refused():
    with pytest.raises(WireError):
        Reader(memoryview(bytearray(16))).value(["T", "float32", [2, 2], [1, 1], 0, 16, "cpu"])


def test_deep_and_endless_trees_are_refused():
    deep = None
    for _ in range(200):
        deep = ["L", [deep]]
    for node in (deep, ["L", [["L", []]] * 300_000]):
        with pytest.raises(WireError):
            Reader(memoryview(b"")).value(node)


def test_outcomes_whose_parts_do_not_fit_are_refused():
    node = write_outcome(Writer(), Outcome(Status.RETURNED, 3))
    for place, wrong in [
        (0, "fine"),
        (0, None),
        (2, [["cpu", True, []]]),
        (3, ["D", [["0", 1]]]),
        (3, ["D", [[0, None]]]),
        (5, ["L", []]),
        (6, ["E", [], "x"]),
        (8, [1]),
    ]:
        bent = [*node]
        bent[place] = wrong
        with pytest.raises(WireError):
            read_outcome(Reader(memoryview(b"")), bent)


@pytest.mark.parametrize(
    "forged",
    [
        Outcome(Status.RAISED, raised=Raised("E", (), "x" * 10**6)),
        Outcome(Status.RAISED, raised=Raised("E" * 10**6, (), "x")),
        Outcome(Status.RAISED, raised=Raised("E", ("B",) * 10**4, "x")),
        Outcome(Status.RAISED, raised=Raised("E", (), "x", (Frame("a", 1, "x" * 10**6, "f"),))),
        Outcome(Status.RAISED, raised=Raised("E", (), "x", (Frame("a", 1, "x", "f"),) * 10**4)),
        Outcome(Status.RETURNED, 1, changed={"x" * 10**6: 1}),
        Outcome(Status.RETURNED, 1, used=("torch.softmax",) * 10**4),
        Outcome(Status.RETURNED, torch.ones(1), (Leaf("c" * 10**6, False, ()),)),
        Outcome(Status.RETURNED, torch.ones(1), (Leaf("cpu", False, ("x" * 10**6,)),)),
    ],
)
def test_what_would_fill_a_report_is_refused(forged):
    with pytest.raises(WireError):
        read_message(read_outcome, message_of(write_outcome, forged))


def test_the_name_of_an_unknown_class_is_cut():
    assert len(Reader(memoryview(b"")).value(["O", "x" * 10**6]).type_name) <= 100


@pytest.mark.parametrize(
    ("write", "read", "thing"), [(write_step, read_step, STEP), (write_outcome, read_outcome, OUTCOME)]
)
def test_any_bent_message_is_a_wire_error_or_a_message(write, read, thing):
    data = message_of(write, thing)
    draw = random.Random(5)
    refused = 0
    for turn in range(1500):
        bent = bytearray(data)
        for _ in range(draw.randint(1, 4)):
            bent[draw.randrange(len(bent))] = draw.randrange(256)
        if turn % 3 == 0:
            del bent[draw.randrange(len(bent)) :]
        try:
            read_message(read, bytes(bent))
        except WireError:
            refused += 1
    assert refused > 700
