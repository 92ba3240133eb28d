"""What you measure with, and what the checks need beside your functions. No answers in here.

`count_flops(call)` and `peak_bytes(call)` take a function without arguments, run it once and give a number.
`PretendDevice` is an accelerator made of arithmetic: the same numbers on every machine, on every run.
"""

import weakref

import torch
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves
from torch.utils.weak import WeakIdKeyDictionary

# ------------------------------------------------------------------------------------------------------ counters


def count_flops(call):
    """Floating-point operations of the matrix products that `call()` runs, as PyTorch's own counter counts them.

    Two for each multiply-add; softmax, scaling and masks count nothing. Of fused attention on the CPU that counter
    knows nothing and says 0; here it is told, and counts the same two products. What runs in NumPy is not seen.
    """
    from torch.utils.flop_counter import FlopCounterMode, sdpa_flop_count

    def fused(query_shape, key_shape, value_shape, *_more, **_named):
        return sdpa_flop_count(query_shape, key_shape, value_shape)

    on_cpu = torch.ops.aten._scaled_dot_product_flash_attention_for_cpu  # noqa: SLF001 - it has no public name
    with FlopCounterMode(display=False, custom_mapping={on_cpu: fused}) as counter:
        call()
    return counter.get_total_flops()


def peak_bytes(call):
    """Bytes of all tensors that live at once while `call()` runs, at their highest.

    Tensors that were there before do not count, views of others neither. Not seen: what an operation uses inside
    and gives back before it ends, and what NumPy holds.
    """
    with _LiveBytes() as counter:
        call()
    return counter.peak


class _LiveBytes(TorchDispatchMode):
    """Adds up the storages that operations make, and takes each off when it is gone."""

    def __init__(self):
        super().__init__()
        self.live = self.peak = 0
        self._known = WeakIdKeyDictionary()

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        for storage in _storages((args, kwargs)):
            self._known.setdefault(storage, 0)
        result = func(*args, **(kwargs or {}))
        for storage in _storages(result):
            if storage not in self._known:
                self._add(storage)
        return result

    def _add(self, storage):
        size = storage.nbytes()
        self._known[storage] = size
        self.live += size
        self.peak = max(self.peak, self.live)
        weakref.finalize(storage, self._remove, size)

    def _remove(self, size):
        self.live -= size


def _storages(values):
    return [leaf.untyped_storage() for leaf in tree_leaves(values) if isinstance(leaf, torch.Tensor)]


# ------------------------------------------------------------------------------------------------ a pretend device


class PretendDevice:
    """An accelerator on which time passes only where it works.

    `work()` hands over the next piece of work. It returns after `launch` seconds, long before the piece is done:
    the device works on by itself. `synchronize()` waits until nothing is left. `clock()` tells the time.
    The pieces take `durations` seconds, one after the other; the last one is repeated.
    With `queues=False` it is like a CPU: `work()` returns when its piece is done.

    `calls` counts the pieces; `read_while_working` is True once the clock was read before the device had finished.
    """

    def __init__(self, durations, launch=0.0, queues=True):
        self.durations, self.launch, self.queues = list(durations), launch, queues
        self.now = self.queued = 0.0
        self.calls = 0
        self.read_while_working = False

    def work(self):
        """Hands over a piece of work."""
        self.now += self.launch
        self.queued += self.durations[min(self.calls, len(self.durations) - 1)]
        self.calls += 1
        if not self.queues:
            self.synchronize()

    def synchronize(self):
        """Waits for the device."""
        self.now += self.queued
        self.queued = 0.0

    def clock(self):
        """Seconds since the beginning."""
        self.read_while_working = self.read_while_working or self.queued > 0
        return self.now


# -------------------------------------------------------------------------------------------- a pretend experiment


class Experiment:
    """Makes inputs, runs on them and measures, and notes what was done.

    `make_input(n)` gives a tensor of n numbers. `fn(x)` multiplies x by a weight that wants gradients. `cost(call)`
    runs `call()` as often as `runs` says and gives what `costs` has for the size on which it ran.
    """

    def __init__(self, costs, runs=1):
        self.costs, self.runs = dict(costs), runs
        self.weight = torch.ones(1, requires_grad=True)
        self.sizes_made = []  # of the inputs, in order
        self.inputs_inside = 0  # made while the cost was measured
        self.runs_inside = self.runs_outside = 0  # of fn, while the cost was measured and else
        self.runs_remembered = 0  # whose result could be taken back through
        self.order = []
        self._measuring = False
        self._size = 0

    def make_input(self, n):
        """An input of size n."""
        self.sizes_made.append(int(n))
        self.order.append(f"input {int(n)}")
        self.inputs_inside += self._measuring
        return torch.ones(int(n))

    def fn(self, x=None):
        """What is measured."""
        self._size = len(x) if isinstance(x, torch.Tensor) else 0
        self.runs_inside += self._measuring
        self.runs_outside += not self._measuring
        result = self.weight * (x if isinstance(x, torch.Tensor) else 1.0)
        self.runs_remembered += result.requires_grad
        return result

    def cost(self, call):
        """The cost of call()."""
        self._size, self._measuring = 0, True
        if callable(call):
            for _ in range(self.runs):
                call()
        self._measuring = False
        self.order.append(f"cost {self._size}")
        return self.costs.get(self._size, -1.0)


# --------------------------------------------------------------------------------------------- for the checks alone


def meter(begin, end):
    """A cost that measures nothing itself: `begin` says how often the call is to run, and `end` what it cost."""

    def cost(call):
        runs = begin()
        if callable(call):
            for _ in range(runs):
                call()
        return end()

    return cost


def weighted(ran):
    """A function with a weight that wants gradients. `ran` gets its input, and whether its result is remembered."""
    weight = torch.ones(1, requires_grad=True)

    def fn(x=None):
        given = isinstance(x, torch.Tensor)
        result = weight * (x if given else 1.0)
        ran(x if given else None, result.requires_grad)
        return result

    return fn


class Teller:
    """Passes on what `look` says."""

    def __call__(self, look, what):
        """What it says of one thing."""
        return look(what)
