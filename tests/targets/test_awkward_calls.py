"""Calls that take functions and objects, or give objects with state: the same on every kind of target."""

import torch

from autograder.calls import Action, Callback, Handle, Helper, Opaque, Status, Step

MEDIAN_TIME = """
import statistics, time

def median_time(fn, repeats=5, warmup=1, clock=time.perf_counter, synchronize=None):
    for _ in range(warmup):
        fn()
    times = []
    for _ in range(repeats):
        if synchronize:
            synchronize()
        start = clock()
        fn()
        if synchronize:
            synchronize()
        times.append(clock() - start)
    return statistics.median(times)
"""

KV_CACHE = """
import torch

class KVCache:
    def __init__(self):
        self.k = self.v = None

    def append(self, k, v):
        self.k = k if self.k is None else torch.cat([self.k, k], dim=-2)
        self.v = v if self.v is None else torch.cat([self.v, v], dim=-2)
        return self.k, self.v

    @property
    def length(self):
        return 0 if self.k is None else self.k.shape[-2]

    @property
    def bytes(self):
        return 0 if self.k is None else self.k.nbytes + self.v.nbytes

    def crop(self, length):
        if not 0 <= length <= self.length:
            raise ValueError(f"cannot keep {length} of {self.length}")
        self.k, self.v = self.k[..., :length, :], self.v[..., :length, :]
"""

REACH = """
import torch

def gradient_reach(fn, x):
    x = x.detach().requires_grad_()
    fn(x)[:, -1].sum().backward()
    return x.grad.square().sum(dim=(0, 2)).sqrt()

def measure_growth(make_input, fn, sizes, cost):
    costs = []
    for n in sizes:
        x = make_input(n)
        with torch.no_grad():
            costs.append(cost(lambda: fn(x)))
    return costs
"""

REACH_HELPERS = """
import torch

def running_mean(x):
    return x.cumsum(1) / torch.arange(1, x.shape[1] + 1).view(1, -1, 1)

def ones(n):
    return torch.ones(1, n, 2)

def elements(call):
    assert not torch.is_grad_enabled()
    return call().numel()
"""

COPY_WEIGHTS = """
import torch
from torch import nn

class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.W_Q, self.W_K, self.W_V, self.W_O = (nn.Linear(d_model, d_model, bias=False) for _ in range(4))

def copy_weights(mine, theirs):
    with torch.no_grad():
        for layer, weight in zip((mine.W_Q, mine.W_K, mine.W_V), theirs.in_proj_weight.chunk(3)):
            layer.weight.copy_(weight)
        mine.W_O.weight.copy_(theirs.out_proj.weight)
"""

COPY_HELPERS = """
from torch import nn

def make_theirs(d_model, num_heads):
    return nn.MultiheadAttention(d_model, num_heads, bias=False)
"""


def test_the_order_of_callbacks_is_recorded(make_target):
    target = make_target(MEDIAN_TIME)
    ticks = iter(range(100))
    target.begin({"clock": lambda: float(next(ticks) ** 2), "synchronize": lambda: None, "work": lambda: 7})

    outcome = target.perform(
        Step(
            Action.CALL,
            "median_time",
            (Callback("work"),),
            {"repeats": 2, "clock": Callback("clock"), "synchronize": Callback("synchronize")},
        )
    )

    assert outcome.value == 3.0
    assert [event.name for event in outcome.events] == ["work"] + 2 * [
        "synchronize",
        "clock",
        "work",
        "synchronize",
        "clock",
    ]
    assert [event.returned for event in outcome.events if event.name == "clock"] == [0.0, 1.0, 4.0, 9.0]


def test_a_callback_takes_tensors_and_gives_tensors(make_target):
    target = make_target("def apply(fn, x):\n    return fn(x + 1) * 2\n")
    target.begin({"fn": lambda x: x * 10})
    outcome = target.perform(Step(Action.CALL, "apply", (Callback("fn"), torch.tensor([1.0, 2.0]))))
    assert outcome.value.tolist() == [40.0, 60.0]
    assert outcome.events[0].args[0].tolist() == [2.0, 3.0]


def test_a_failing_callback_is_seen_by_the_code_that_called_it(make_target):
    target = make_target("def run(fn):\n    try:\n        fn()\n    except Exception:\n        return 'caught'\n")
    target.begin({"fn": lambda: 1 / 0})
    assert target.perform(Step(Action.CALL, "run", (Callback("fn"),))).value == "caught"


def test_an_object_keeps_its_state_and_what_it_returned_stays(make_target):
    target = make_target(KV_CACHE)
    cache = Handle(0)
    k, v = torch.randn(2, 3, 5), torch.randn(2, 3, 4)
    made = target.perform(Step(Action.CONSTRUCT, "KVCache", into=cache))
    first = target.perform(Step(Action.METHOD, "append", (k, v), on=cache))
    second = target.perform(Step(Action.METHOD, "append", (k + 1, v + 1), on=cache))

    assert made.value == Opaque("KVCache")
    assert torch.equal(first.value[0], k)
    assert torch.equal(second.value[1], torch.cat([v, v + 1], dim=-2))
    assert target.perform(Step(Action.GET, "length", on=cache)).value == 6
    assert target.perform(Step(Action.GET, "bytes", on=cache)).value == 2 * 6 * 9 * 4
    assert target.perform(Step(Action.METHOD, "crop", (4,), on=cache)).status is Status.RETURNED
    assert target.perform(Step(Action.GET, "length", on=cache)).value == 4
    beyond = target.perform(Step(Action.METHOD, "crop", (5,), on=cache))
    assert (beyond.status, beyond.raised.type_name) == (Status.RAISED, "ValueError")
    assert torch.equal(first.value[0], k)


def test_a_value_stays_what_it_was_when_the_object_changes_it_later(make_target):
    target = make_target("import torch\nkept = torch.zeros(3)\ndef grow():\n    kept.add_(1)\n    return kept\n")
    first = target.perform(Step(Action.CALL, "grow"))
    target.perform(Step(Action.CALL, "grow"))
    assert first.value.tolist() == [1.0, 1.0, 1.0]


def test_objects_are_forgotten_by_the_next_program(make_target):
    target = make_target(KV_CACHE)
    target.perform(Step(Action.CONSTRUCT, "KVCache", into=Handle(0)))
    target.begin({})
    assert target.perform(Step(Action.GET, "length", on=Handle(0))).status is Status.MISSING


def test_a_helper_given_as_a_function_lets_gradients_flow(make_target):
    target = make_target(REACH, REACH_HELPERS)
    x = torch.randn(2, 4, 3)
    outcome = target.perform(Step(Action.CALL, "gradient_reach", (Helper("running_mean"), x)))
    assert torch.allclose(outcome.value, torch.full((4,), 6**0.5 / 4))
    assert not outcome.changed


def test_several_helpers_work_together(make_target):
    target = make_target(REACH, REACH_HELPERS)
    args = (Helper("ones"), Helper("running_mean"), [2, 3, 5], Helper("elements"))
    outcome = target.perform(Step(Action.CALL, "measure_growth", args))
    assert outcome.value == [4, 6, 10]


def test_modules_of_both_sides_meet(make_target):
    target = make_target(COPY_WEIGHTS, COPY_HELPERS)
    mine, theirs = Handle(0), Handle(1)
    weights = {"in_proj_weight": torch.randn(12, 4), "out_proj.weight": torch.randn(4, 4)}
    target.perform(Step(Action.CONSTRUCT, "MultiHeadAttention", (4, 2), into=mine))
    target.perform(Step(Action.HELPER, "make_theirs", (4, 2), into=theirs))
    target.perform(Step(Action.LOAD, "", (weights,), on=theirs))
    target.perform(Step(Action.CALL, "copy_weights", (mine, theirs)))

    state = target.perform(Step(Action.STATE, "", on=mine)).value
    assert torch.equal(state["W_K.weight"], weights["in_proj_weight"][4:8])
    assert torch.equal(state["W_O.weight"], weights["out_proj.weight"])
