"""What the outcome of a step tells, on every kind of target."""

import math

import numpy as np
import pytest
import torch

from autograder.calls import Action, Handle, Opaque, Status, Step
from autograder.targets.inprocess import InProcess

LAYER = """
import torch
from torch import nn

class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.W = nn.Linear(3, 2)
        self.frozen = nn.Parameter(torch.ones(2), requires_grad=False)
        self.register_buffer("shift", torch.zeros(2))

    def forward(self, x):
        return self.W(x) * self.frozen + self.shift
"""


@pytest.fixture
def call(make_target):
    """Call the function `f` of some source once."""

    def call(source, *args, watch=(), helpers="", **step):
        return make_target(source, helpers, watch).perform(Step(Action.CALL, "f", args, **step))

    return call


def test_a_function_that_is_not_there_is_missing(call):
    assert call("def g():\n    pass\n").status is Status.MISSING
    assert call("f = 3\n").status is Status.MISSING


def test_builtins_are_not_the_submissions(make_target):
    assert make_target("").perform(Step(Action.CALL, "len", ([],))).status is Status.MISSING


def test_an_error_shows_the_submissions_own_lines(call):
    outcome = call("import torch\n\ndef g(x):\n    return x @ x\n\ndef f(x):\n    return g(x)\n", torch.ones(2, 3))
    assert (outcome.status, outcome.raised.type_name) == (Status.RAISED, "RuntimeError")
    assert [(frame.line, frame.function, frame.text) for frame in outcome.raised.frames] == [
        (7, "f", "return g(x)"),
        (4, "g", "return x @ x"),
    ]


def test_the_base_classes_of_an_error_are_named(call):
    outcome = call("class Mine(ValueError):\n    pass\n\ndef f():\n    raise Mine('so')\n")
    assert (outcome.raised.type_name, outcome.raised.message) == ("Mine", "so")
    assert "ValueError" in outcome.raised.bases


def test_an_error_whose_text_fails_has_none(call):
    source = "class E(Exception):\n    def __str__(self):\n        raise SystemExit\n\ndef f():\n    raise E\n"
    assert call(source).raised.message == ""


def test_a_huge_error_text_is_cut(call):
    assert len(call("def f():\n    raise ValueError('x' * 10**7)\n").raised.message) <= 2000


def test_a_deep_recursion_shows_few_lines(call):
    outcome = call("def f():\n    return f()\n")
    assert outcome.raised.type_name == "RecursionError"
    assert 2 <= len(outcome.raised.frames) <= 12


@pytest.mark.parametrize("error", ["MemoryError", 'RuntimeError("can\'t allocate memory: you tried")'])
def test_running_out_of_memory_has_a_status_of_its_own(call, error):
    assert call(f"def f():\n    raise {error}\n").status is Status.OUT_OF_MEMORY


def test_system_exit_is_an_outcome(call):
    assert call("def f():\n    raise SystemExit(3)\n").raised.type_name == "SystemExit"


def test_values_come_back_as_they_are(call):
    source = """
import torch, numpy as np, collections
def f():
    pair = collections.namedtuple("Pair", "a b")(1, [2, None])
    return {"pair": pair, 3: 2**100, "c": 1 + 2j, "n": np.float32(0.5), "a": np.eye(2), "d": torch.bfloat16,
            "t": torch.ones(2, dtype=torch.bfloat16), "size": torch.ones(2, 3).shape, "dev": torch.device("cpu"),
            "nan": float("nan"), "set": {1}, "b": torch.tensor([True, False])}
"""
    value = call(source).value
    assert value["pair"] == (1, [2, None])
    assert type(value["pair"]) is tuple
    assert (value[3], value["c"], value["n"]) == (2**100, 1 + 2j, 0.5)
    assert np.array_equal(value["a"], np.eye(2))
    assert value["t"].dtype is value["d"] is torch.bfloat16
    assert (value["size"], value["dev"], value["set"]) == ((2, 3), torch.device("cpu"), Opaque("set"))
    assert value["nan"] != value["nan"]
    assert value["b"].tolist() == [True, False]


def test_a_tensor_subclass_is_no_plain_value(call):
    source = "import torch\nclass T(torch.Tensor):\n    pass\n\ndef f():\n    return [torch.ones(2).as_subclass(T)]\n"
    outcome = call(source)
    assert (outcome.value, outcome.leaves) == ([Opaque("T")], ())


@pytest.mark.parametrize("deep", ["x = []\n    for _ in range(50):\n        x = [x]", "x = []\n    x.append(x)"])
def test_a_bottomless_container_is_cut(call, deep):
    assert call(f"def f():\n    {deep}\n    return x\n").status is Status.RETURNED


def test_memory_shared_with_an_argument_is_named(make_target):
    target = make_target("def f(x, pair, scale=None):\n    return x[1:], pair[1].T, scale + 1\n")
    args = (torch.ones(3), (torch.ones(2), torch.ones(2, 3)))
    outcome = target.perform(Step(Action.CALL, "f", args, {"scale": torch.ones(1)}))
    assert [leaf.shares for leaf in outcome.leaves] == [("0",), ("1.1",), ()]


def test_a_changed_argument_is_named_and_the_callers_stays(call):
    x, array = torch.zeros(2, 3), np.zeros(2)
    outcome = call("def f(x, rest):\n    x[0] = 1\n    rest[0] += 2\n    return x.sum()\n", x, [array])
    assert outcome.changed["0"].tolist() == [[1.0] * 3, [0.0] * 3]
    assert outcome.changed["1.0"].tolist() == [2.0, 2.0]
    assert not x.any()
    assert not array.any()


def test_a_changed_list_is_named(call):
    assert call("def f(sizes):\n    sizes.sort()\n", [3, 1, 2]).changed == {"0": [1, 2, 3]}


@pytest.mark.parametrize("fill", [float("nan"), float("-inf"), 0.0])
def test_an_argument_left_alone_has_not_changed(call, fill):
    assert call("def f(x):\n    return x + 1\n", torch.full((3,), fill)).changed == {}


def test_arrays_arrive_with_their_strides(call):
    for array in (np.ones((3, 4)).T, np.arange(12.0).reshape(3, 4)[::-1, ::2]):
        outcome = call("def f(x):\n    x[0] = 7\n    return x.strides, x\n", array)
        assert outcome.value[0] == array.strides
        assert outcome.value[1][0].tolist() == [7] * array.shape[1]
        assert 7 not in array


def test_arrays_come_back_in_the_machines_byte_order(call):
    value = call("import numpy as np\ndef f():\n    return np.arange(3, dtype='>f8')\n").value
    assert (value.dtype, value.tolist()) == (np.dtype("=f8"), [0, 1, 2])


def test_another_sign_of_zero_is_a_change(call):
    assert "0" in call("def f(x):\n    x.neg_()\n", torch.zeros(2)).changed


def test_gradients_are_weighted_by_the_cotangents(call):
    x, y = torch.tensor([1.0, 2.0]), torch.tensor([3.0, 5.0])
    cotangents = (torch.tensor([1.0, 10.0]), None)
    outcome = call("def f(x, y, n):\n    return x * y, x.sum()\n", x, y, 3, cotangents=cotangents)
    assert outcome.grads["0"].tolist() == [3.0, 50.0]
    assert outcome.grads["1"].tolist() == [1.0, 20.0]
    assert set(outcome.grads) == {"0", "1"}


def test_gradients_arrive_through_code_that_changes_its_input(call):
    outcome = call("def f(x):\n    x *= 2\n    return x\n", torch.ones(2), cotangents=(torch.ones(2),))
    assert outcome.grads["0"].tolist() == [2.0, 2.0]
    assert "0" in outcome.changed


@pytest.mark.parametrize("body", ["x.detach() * 2", "x.sum()", "3", "x.long()"])
def test_where_no_gradient_arrives_it_says_none(call, body):
    outcome = call(f"def f(x):\n    return {body}\n", torch.ones(2), cotangents=(torch.ones(2),))
    assert outcome.grads == {"0": None}


def test_a_failing_backward_pass_is_told(call):
    source = """
import torch
class Twice(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2
    @staticmethod
    def backward(ctx, grad):
        raise ValueError("no way back")
def f(x):
    return Twice.apply(x)
"""
    outcome = call(source, torch.ones(2), cotangents=(torch.ones(2),))
    assert outcome.status is Status.RETURNED
    assert outcome.grad_error.message == "no way back"


def test_parameters_have_gradients_by_name(make_target):
    target = make_target(LAYER + "\ndef f(layer, x):\n    return layer(x)\n")
    target.perform(Step(Action.CONSTRUCT, "Layer", into=Handle(0)))
    x, ones = torch.ones(1, 3), (torch.ones(1, 2),)
    by_method = target.perform(Step(Action.METHOD, "__call__", (x,), on=Handle(0), cotangents=ones))
    by_argument = target.perform(Step(Action.CALL, "f", (Handle(0), x), cotangents=ones))
    assert set(by_method.grads) == {"0", "self.W.weight", "self.W.bias", "self.frozen"}
    assert by_method.grads["self.frozen"] is None
    assert by_argument.grads["0.W.weight"].tolist() == [[1.0] * 3] * 2


def test_a_module_that_is_not_set_up_gives_errors_only(make_target):
    target = make_target("from torch import nn\nclass Layer(nn.Module):\n    def __init__(self):\n        pass\n")
    target.perform(Step(Action.CONSTRUCT, "Layer", into=Handle(0)))
    ones = (torch.ones(2),)
    for step in (
        Step(Action.METHOD, "__call__", ones, on=Handle(0), cotangents=ones),
        Step(Action.STATE, "", on=Handle(0)),
        Step(Action.LOAD, "", ({"W": ones[0]},), on=Handle(0)),
    ):
        assert target.perform(step).status is Status.RAISED


def test_loading_says_what_does_not_fit(make_target):
    target = make_target(LAYER)
    target.perform(Step(Action.CONSTRUCT, "Layer", into=Handle(0)))

    def load(name, tensor):
        return target.perform(Step(Action.LOAD, "", ({name: tensor},), on=Handle(0)))

    assert load("shift", torch.ones(2)).status is Status.RETURNED
    assert target.perform(Step(Action.STATE, "", on=Handle(0))).value["shift"].tolist() == [1.0, 1.0]
    assert (load("V.weight", torch.ones(2)).status, load("V.weight", torch.ones(2)).raised.message) == (
        Status.MISSING,
        "V.weight",
    )
    assert load("W.weight", torch.ones(3, 2)).raised.message == "W.weight has shape (2, 3), not (3, 2)"


def test_an_attribute_that_is_not_there_is_missing_and_one_that_fails_raises(make_target):
    source = "class A:\n    @property\n    def broken(self):\n        return self.nothing\n"
    target = make_target(source)
    target.perform(Step(Action.CONSTRUCT, "A", into=Handle(0)))
    assert target.perform(Step(Action.GET, "absent", on=Handle(0))).status is Status.MISSING
    assert target.perform(Step(Action.GET, "broken", on=Handle(0))).raised.type_name == "AttributeError"
    assert target.perform(Step(Action.METHOD, "absent", on=Handle(0))).status is Status.MISSING


@pytest.mark.parametrize(
    "x",
    [
        torch.arange(24.0).reshape(2, 3, 4).transpose(0, 2),
        torch.arange(24.0).reshape(4, 6)[:, ::2],
        torch.arange(3.0)[:, None].expand(3, 5),
        torch.arange(6.0).reshape(1, 6).T,
        torch.empty(0, 3).T,
        torch.tensor(2.5),
    ],
    ids=["permuted", "sliced", "expanded", "column", "empty", "scalar"],
)
@pytest.mark.parametrize("cotangents", [None, ()])
def test_arguments_arrive_with_their_strides(call, x, cotangents):
    outcome = call("def f(x):\n    return x.stride(), x.is_contiguous(), x\n", x, cotangents=cotangents)
    assert outcome.value[1] == x.is_contiguous()
    assert x.is_contiguous() or outcome.value[0] == x.stride()
    assert torch.equal(outcome.value[2], x)


def test_each_step_starts_from_its_seed_and_from_plain_settings(make_target):
    source = """
import torch
def spoil():
    torch.set_default_dtype(torch.float64)
    torch.set_grad_enabled(False)
    torch.set_default_device("meta")
def f():
    return torch.rand(2), torch.is_grad_enabled()
"""
    target = make_target(source)
    target.perform(Step(Action.CALL, "spoil"))
    values = [target.perform(Step(Action.CALL, "f", seed=seed)).value for seed in (7, 7, 8)]
    assert values[0][0].dtype is torch.float32
    assert values[0][1] is True
    assert torch.equal(values[0][0], values[1][0])
    assert not torch.equal(values[0][0], values[2][0])
    assert torch.equal(values[0][0], torch.rand(2, generator=torch.Generator().manual_seed(7)))
    assert torch.get_default_dtype() is torch.float32
    assert torch.is_grad_enabled()


def test_numpy_neither_warns_nor_raises_of_numbers(make_target):
    target = make_target("""
import numpy as np
def spoil():
    np.seterr(all="raise")
def f(x):
    return x / 0 + np.exp(x)
""")
    target.perform(Step(Action.CALL, "spoil"))
    outcome = target.perform(Step(Action.CALL, "f", (np.array([1000.0, -1000.0]),)))
    assert outcome.value.tolist() == [math.inf, -math.inf]


SDPA = "torch.nn.functional.scaled_dot_product_attention"
MHA = "torch.nn.functional.multi_head_attention_forward"


@pytest.mark.parametrize(
    ("body", "used"),
    [
        ("torch.nn.functional.scaled_dot_product_attention(x, x, x)", (SDPA,)),
        ("torch.nn.MultiheadAttention(4, 2, batch_first=True).eval()(x, x, x)[0]", (MHA,)),
        ("torch.ops.aten.scaled_dot_product_attention(x, x, x)", (SDPA,)),
        ("torch.ops.aten.scaled_dot_product_attention.default(x, x, x)", (SDPA,)),
        ("torch.ops.aten._scaled_dot_product_flash_attention_for_cpu(*[x.view(1, 1, 3, 4)] * 3)[0]", (SDPA,)),
        ("helpers.attend(x)", ()),
        ("x.softmax(-1)", ()),
    ],
)
def test_watched_library_functions_are_seen_where_the_submission_uses_them(call, body, used):
    helpers = "import torch\ndef attend(x):\n    return torch.nn.functional.scaled_dot_product_attention(x, x, x)\n"
    source = f"import torch, helpers\ndef f(x):\n    with torch.no_grad():\n        return {body}\n"
    assert call(source, torch.ones(1, 3, 4), watch=(SDPA, MHA), helpers=helpers).used == used


SOFTMAXES = ("torch.softmax", "torch.Tensor.softmax", "torch.nn.functional.softmax", "torch.special.softmax")
MEDIAN = "statistics.median"


@pytest.mark.parametrize("watched", SOFTMAXES)
def test_functions_of_one_name_are_told_apart(call, watched):
    outcome = call(f"import torch\ndef f(x):\n    return {watched}(x, dim=0)\n", torch.ones(3), watch=SOFTMAXES)
    assert outcome.used[0] == watched


@pytest.mark.parametrize(
    ("body", "used"),
    [
        ("middle(x)", (MEDIAN,)),
        ("list(map(middle, [x, x]))[0]", (MEDIAN,)),
        ("helpers.middle(x)", ()),
        ("statistics.median_low(x)", ()),
        ("sorted(x)[1]", ()),
    ],
)
def test_watched_functions_of_any_library_are_seen_where_the_submission_uses_them(call, body, used):
    helpers = "import statistics\ndef middle(x):\n    return statistics.median(x)\n"
    source = f"import statistics, helpers\nfrom statistics import median as middle\ndef f(x):\n    return {body}\n"
    outcome = call(source, [3.0, 1.0, 2.0], watch=(MEDIAN, "nowhere.softmax"), helpers=helpers)
    assert (outcome.value, outcome.used) == (2.0, used)


def test_future_features_and_dataclasses_work(call):
    source = """
from __future__ import annotations
from dataclasses import dataclass
@dataclass
class A:
    x: int = 3
def f():
    return A().x
"""
    assert call(source).value == 3


def test_a_main_block_does_not_run(call):
    assert call("def f():\n    return 1\nif __name__ == '__main__':\n    raise SystemExit\n").value == 1


def test_a_layer_shared_under_several_names_is_found_under_each(make_target):
    target = make_target(
        "from torch import nn\nclass Shared(nn.Module):\n    def __init__(self):\n        super().__init__()\n"
        "        self.W = self.V = nn.Linear(2, 3)\n"
    )
    target.perform(Step(Action.CONSTRUCT, "Shared", into=Handle(0)))
    loaded = target.perform(Step(Action.LOAD, "", ({"V.weight": torch.ones(3, 2)},), on=Handle(0)))
    assert loaded.status is Status.RETURNED
    state = target.perform(Step(Action.STATE, "", on=Handle(0))).value
    assert set(state) == {"W.weight", "W.bias", "V.weight", "V.bias"}
    assert state["W.weight"].tolist() == state["V.weight"].tolist() == [[1.0, 1.0]] * 3


def test_who_stops_us_while_code_loads_here_stops_us():
    # Taken for the code's own exception, it would leave a reference without functions, and a class without points.
    with pytest.raises(KeyboardInterrupt):
        InProcess.from_source("raise KeyboardInterrupt\n", filename="solution.py")
    with pytest.raises(KeyboardInterrupt):
        InProcess.from_source("", "raise KeyboardInterrupt\n", filename="solution.py")
