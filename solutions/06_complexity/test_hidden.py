"""What only the instructor runs."""

import re

import pytest
import torch

HUGE = (4096, 96, 2**27 + 1, 2**30 + 3)  # more scores than 64 bits count


def drawn(make, n):
    """n different durations, in an order that is drawn."""
    return [float(2 * number + 3) for number in make.permutation(n).tolist()]


class Device:
    """A `PretendDevice` of the grader's own: nothing but its functions is in a submission's reach."""

    def __init__(self, durations, launch=0.0, queues=True):
        self.durations, self.launch, self.queues = list(durations), launch, queues
        self.now = self.queued = 0.0
        self.record = {"calls": 0, "read_while_working": False}

    def work(self):
        """Hands over a piece of work."""
        self.now += self.launch
        self.queued += self.durations[min(self.record["calls"], len(self.durations) - 1)]
        self.record["calls"] += 1
        if not self.queues:
            self.synchronize()

    def synchronize(self):
        """Waits for the device."""
        self.now, self.queued = self.now + self.queued, 0.0

    def clock(self):
        """Seconds since the beginning."""
        self.record["read_while_working"] |= self.queued > 0
        return self.now


MANY = 100  # numbers in an input, inputs, notes: a submission may ask for more


class Experiment:
    """An experiment like that of helpers.py, of the grader's own: inputs are made, fn runs and costs are known here."""

    def __init__(self, costs, runs=1):
        self.costs, self.runs, self.measuring = dict(costs), runs, False
        self.inputs, self.size = [], 0
        counts = "inputs_inside", "runs_inside", "runs_outside", "runs_remembered"
        self.record = {**dict.fromkeys(counts, 0), "order": ()}

    def make_input(self, n):
        """An input of size n."""
        size = whole(n)
        if size is None or len(self.inputs) >= MANY:
            raise ValueError("no experiment here is that large")
        self.note(f"input {size}")
        self.record["inputs_inside"] += self.measuring
        self.inputs.append(torch.arange(float(size)) + len(self.inputs))
        return self.inputs[-1]

    def fn(self, x=None, remembered=False):
        """What is measured. Whether its result could be taken back through is seen by the caller alone."""
        self.size = len(x) if isinstance(x, torch.Tensor) and any(is_same(x, each) for each in self.inputs) else 0
        self.record["runs_inside" if self.measuring else "runs_outside"] += 1
        self.record["runs_remembered"] += remembered is True
        return 2 * x if isinstance(x, torch.Tensor) else x

    def begin(self):
        """The cost is measured from here on: how often the call is to run."""
        self.size, self.measuring = 0, True
        return self.runs

    def end(self):
        """The cost of what has run."""
        self.measuring = False
        self.note(f"cost {self.size}")
        return self.costs.get(self.size, -1.0)

    def note(self, what):
        """Puts down what was done, as long as there is room."""
        if len(self.record["order"]) < MANY:
            self.record["order"] += (what,)


def whole(n):
    """n as an int, also where it comes as a float or as a tensor of one number; None for what is no size here."""
    number = n.item() if isinstance(n, torch.Tensor) and n.numel() == 1 else n
    return int(number) if type(number) in (int, float) and 0 <= number <= MANY else None


def is_same(x, made):
    """Whether x is an input that was made here, in whatever dtype it comes back."""
    return x.shape == made.shape and x.tolist() == made.tolist()


def kept_here(callbacks, names, *makers):
    """For each maker's object, which stays in the grader: its functions of these names, and `look` into its record."""

    def fresh():
        made = [(number, maker()) for number, maker in enumerate(makers)]
        functions = {f"{name}_{number}": getattr(one, name) for number, one in made for name in names}
        return functions | {f"look_{number}": one.record.__getitem__ for number, one in made}

    given = callbacks(fresh)
    return [{name: given[f"{name}_{number}"] for name in (*names, "look")} for number in range(len(makers))]


def devices_of(callbacks, *settings):
    """Pretend devices: the functions of each."""
    makers = [lambda how=how: Device(**how) for how in settings]
    return kept_here(callbacks, ("work", "clock", "synchronize"), *makers)


def experiments_of(callbacks, *all_costs, runs=1):
    """Pretend experiments: the functions of each."""
    makers = [lambda costs=costs: Experiment(costs, runs) for costs in all_costs]
    return kept_here(callbacks, ("make_input", "fn", "begin", "end"), *makers)


def told(agree, kept, what):
    """What a record says: compared, and given as it is here, where no submission writes it."""
    agree.helper.Teller()(kept["look"], what)
    said = [event.returned for event in agree.events if (event.name, event.args) == (kept["look"].name, (what,))]
    return said[-1] if said else None


def measure(agree, kept, sizes, fn=None):
    """Measures an experiment at some sizes."""
    cost = agree.helper.meter(kept["begin"], kept["end"])
    agree.measure_growth(kept["make_input"], fn or kept["fn"], sizes, cost)


# ------------------------------------------------------------------------------------------------------------ counts


@pytest.mark.points("score_count", 0.5)
def test_equal_sizes_and_sizes_of_one_are_counted(agree):
    agree.any_dtype.score_count(4, 4, 4, 4)
    agree.any_dtype.score_count(1, 1, 1, 9)
    agree.any_dtype.score_count(1, 1, 12, 1)
    agree.any_dtype.score_count(0, 3, 5, 7)


@pytest.mark.points("score_count", 0.5)
def test_a_count_is_whole_and_exact(agree):
    agree.score_count(3, 5, 7, 11)
    agree.score_count(*HUGE)


@pytest.mark.points("attention_flops", 1)
def test_flops_of_equal_sizes_and_of_one_query(agree):
    agree.any_dtype.attention_flops(8, 8, 8, 8, 8, 8)
    agree.any_dtype.attention_flops(2, 3, 1, 50, 4, 6)
    agree.any_dtype.attention_flops(0, 2, 5, 5, 4, 4)


@pytest.mark.points("attention_flops", 0.5)
def test_flops_are_whole_and_exact(agree):
    agree.attention_flops(3, 2, 7, 5, 11, 13)
    agree.attention_flops(*HUGE, 129, 257)


@pytest.mark.points("score_bytes", 1)
def test_half_precision_takes_half_and_equal_sizes_are_counted(agree):
    agree.any_dtype.score_bytes(3, 2, 5, 9, torch.float16)
    agree.any_dtype.score_bytes(8, 8, 8, 8, torch.float32)
    agree.any_dtype.score_bytes(1, 1, 1, 1, torch.float64)
    agree.any_dtype.score_bytes(2, 12, 1, 100, torch.bfloat16)


@pytest.mark.points("score_bytes", 0.5)
def test_bytes_are_whole_and_exact(agree):
    agree.score_bytes(3, 5, 7, 11, torch.float64)
    agree.score_bytes(*HUGE, torch.bfloat16)


# ------------------------------------------------------------------------------------------------------- median_time


@pytest.mark.points("median_time", 0.5)
def test_any_number_of_repeats_in_any_order(agree, make, callbacks):
    numbers = (7, 2), (6, 0), (2, 1), (1, 0), (1, 4)
    devices = devices_of(callbacks, *({"durations": drawn(make, sum(each)), "queues": False} for each in numbers))
    calls = []
    for device, (repeats, warmup) in zip(devices, numbers, strict=True):
        agree.median_time(device["work"], repeats=repeats, warmup=warmup, clock=device["clock"])
        calls.append(told(agree, device, "calls"))
    assert calls == [sum(each) for each in numbers]


@pytest.mark.points("median_time", 0.25)
def test_without_a_word_five_calls_are_timed_after_one(agree, make, callbacks):
    (device,) = devices_of(callbacks, {"durations": [200.0, *drawn(make, 5)], "queues": False})
    agree.median_time(device["work"], clock=device["clock"])
    assert told(agree, device, "calls") == 6


@pytest.mark.points("median_time", 0.5)
def test_the_device_has_finished_before_each_reading(agree, make, callbacks):
    numbers = (4, 2), (3, 0), (1, 3)
    devices = devices_of(callbacks, *({"durations": drawn(make, sum(each)), "launch": 0.25} for each in numbers))
    said = []
    for device, (repeats, warmup) in zip(devices, numbers, strict=True):
        clock, synchronize = device["clock"], device["synchronize"]
        agree.median_time(device["work"], repeats=repeats, warmup=warmup, clock=clock, synchronize=synchronize)
        said.append([told(agree, device, what) for what in ("read_while_working", "calls")])
    assert said == [[False, sum(each)] for each in numbers]


class Seen:
    """A device of the grader's own: whatever is asked of it is on record."""

    def __init__(self):
        self.now = self.queued = 0.0

    def work(self):
        """Queues ten seconds."""
        self.queued += 10.0

    def synchronize(self):
        """Waits."""
        self.now, self.queued = self.now + self.queued, 0.0

    def clock(self):
        """Reads the time."""
        return self.now


def seen():
    """A fresh device, by its functions."""
    device = Seen()
    return {"fn": device.work, "clock": device.clock, "synchronize": device.synchronize}


def order_of(events):
    """Calls in order, a letter each."""
    return "".join(event.name[0] for event in events)


def is_timed(order, repeats, warmup):
    """Whether each of the repeats stands between two readings of the clock; more readings do no harm."""
    return re.fullmatch(rf"c*(fc*){{{warmup}}}(?<=c)(fc+){{{repeats}}}", order.replace("s", "")) is not None


@pytest.mark.points("median_time", 0.5)
def test_the_clock_that_is_given_is_read_around_each_call(agree, callbacks):
    parts = callbacks(seen)
    agree.median_time(parts["fn"], repeats=3, warmup=2, clock=parts["clock"], synchronize=parts["synchronize"])
    order = order_of(agree.events)
    assert is_timed(order, repeats=3, warmup=2)
    assert "fc" not in order  # a device that works is never read


@pytest.mark.points("median_time", 0.25)
def test_without_synchronize_nothing_is_waited_for(agree, callbacks):
    parts = callbacks(seen)
    agree.median_time(parts["fn"], repeats=2, warmup=1, clock=parts["clock"])
    order = order_of(agree.events)
    assert is_timed(order, repeats=2, warmup=1)
    assert "s" not in order


# --------------------------------------------------------------------------------------------------- growth_exponent


@pytest.mark.points("growth_exponent", 0.5)
def test_any_power_is_found(agree):
    sizes = [7, 2, 40, 11, 300]
    for power in (0.0, 0.5, 1.5, 3.0, -1.0):
        agree.growth_exponent(sizes, [8.0 * n**power for n in sizes])
    agree.growth_exponent((5, 8), (4.0, 9.0))


@pytest.mark.points("growth_exponent", 0.5)
def test_uneven_sizes_and_very_small_costs_are_fitted(agree):
    sizes = [64, 128, 2048, 200, 150]
    agree.growth_exponent(sizes, [1e-4 + 1e-9 * n**2 for n in sizes])
    agree.growth_exponent([10, 10, 1000], [3.0, 5.0, 4000.0])
    agree.growth_exponent([0.5, 2.0, 4.0], [2**40, 2**43, 2**44])


# ---------------------------------------------------------------------------------------------------- measure_growth


@pytest.mark.points("measure_growth", 0.75)
def test_a_cost_may_run_its_call_several_times(agree, callbacks):
    (experiment,) = experiments_of(callbacks, {3: 2.0, 7: 4.0}, runs=3)
    measure(agree, experiment, [7, 3])
    counts = [told(agree, experiment, what) for what in ("runs_inside", "runs_outside", "inputs_inside")]
    order = told(agree, experiment, "order")
    assert counts == [6, 0, 0]
    assert order == ("input 7", "cost 7", "input 3", "cost 3")


@pytest.mark.points("measure_growth", 0.5)
def test_costs_are_passed_on_as_they_are(agree, callbacks):
    first, second = experiments_of(callbacks, {2: 2**60 + 1, 3: 1e-9, 5: 0}, {6: 3.5})
    measure(agree, first, (5, 3, 2, 3))
    measure(agree, second, [6])
    orders = [told(agree, each, "order") for each in (first, second)]
    assert orders == [tuple(f"{what} {n}" for n in (5, 3, 2, 3) for what in ("input", "cost")), ("input 6", "cost 6")]
