"""What a learner may see and run. Time passes on a pretend device only, so every run gives the same seconds."""

import pytest
import torch


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


@pytest.mark.points("score_count", 1)
def test_each_pair_in_each_head_of_each_sequence_is_a_score(agree):
    agree.any_dtype.score_count(3, 4, 5, 7)
    agree.any_dtype.score_count(2, 1, 6, 10)
    agree.any_dtype.score_count(1, 8, 9, 2)


@pytest.mark.points("attention_flops", 1.5)
def test_both_products_count_two_for_each_multiply_add(agree):
    agree.any_dtype.attention_flops(1, 1, 2, 3, 4, 5)
    agree.any_dtype.attention_flops(2, 3, 5, 7, 4, 6)


@pytest.mark.points("attention_flops", 1)
def test_keys_and_values_may_differ_in_width(agree):
    agree.any_dtype.attention_flops(3, 2, 4, 9, 16, 5)
    agree.any_dtype.attention_flops(1, 4, 8, 6, 3, 11)


@pytest.mark.points("score_bytes", 1.5)
def test_a_score_takes_as_many_bytes_as_its_dtype(agree):
    agree.any_dtype.score_bytes(2, 3, 5, 7, torch.float32)
    agree.any_dtype.score_bytes(3, 2, 7, 4, torch.float64)
    agree.any_dtype.score_bytes(4, 1, 6, 5, torch.bfloat16)


@pytest.mark.points("median_time", 1)
def test_the_time_in_the_middle_is_given(agree, callbacks):
    (device,) = devices_of(callbacks, {"durations": [64.0, 3.0, 5.0, 20.0, 9.0, 4.0], "queues": False})
    agree.median_time(device["work"], repeats=5, warmup=1, clock=device["clock"])
    assert told(agree, device, "calls") == 6


@pytest.mark.points("median_time", 0.5)
def test_of_an_even_number_the_middle_two_are_averaged(agree, callbacks):
    (device,) = devices_of(callbacks, {"durations": [8.0, 2.0, 30.0, 7.0, 16.0], "queues": False})
    agree.median_time(device["work"], repeats=4, warmup=1, clock=device["clock"])
    assert told(agree, device, "calls") == 5


@pytest.mark.points("median_time", 0.5)
def test_warmup_calls_do_not_count(agree, callbacks):
    slow, fast = [90.0, 50.0, 40.0, 6.0, 8.0, 5.0, 3.0], [90.0, 7.0, 11.0, 5.0, 3.0]
    first, second = devices_of(callbacks, *({"durations": each, "queues": False} for each in (slow, fast)))
    agree.median_time(first["work"], repeats=3, warmup=3, clock=first["clock"])
    calls = told(agree, first, "calls")
    agree.median_time(second["work"], repeats=3, warmup=0, clock=second["clock"])
    assert (calls, told(agree, second, "calls")) == (6, 3)


@pytest.mark.points("median_time", 1)
def test_the_device_is_waited_for(agree, callbacks):
    durations = [32.0, 6.0, 13.0, 4.0, 7.0, 10.0], [32.0, 6.0]
    devices = devices_of(callbacks, *({"durations": each, "launch": 0.5} for each in durations))
    early = []
    for device, repeats in zip(devices, (5, 1), strict=True):
        clock, synchronize = device["clock"], device["synchronize"]
        agree.median_time(device["work"], repeats=repeats, warmup=1, clock=clock, synchronize=synchronize)
        early.append(told(agree, device, "read_while_working"))
    assert early == [False, False]


@pytest.mark.points("growth_exponent", 1)
def test_costs_of_a_known_power_give_that_power(agree):
    agree.growth_exponent([3, 12, 5, 20], [5.0 * n**2 for n in (3, 12, 5, 20)])
    agree.growth_exponent([4, 6, 9], [0.25 * n for n in (4, 6, 9)])


@pytest.mark.points("growth_exponent", 1)
def test_all_points_have_a_say_where_small_sizes_deceive(agree):
    sizes = [2, 5, 8, 24, 64]
    agree.growth_exponent(sizes, [200.0 + n**2 for n in sizes])
    agree.growth_exponent([32, 2, 6, 8], [70.0, 50.0, 64.0, 49.0])


@pytest.mark.points("measure_growth", 1)
def test_each_size_gives_its_cost_in_order(agree, callbacks):
    (experiment,) = experiments_of(callbacks, {2: 5.0, 3: 7.5, 6: 36.25})
    measure(agree, experiment, [3, 6, 2])
    assert told(agree, experiment, "order") == ("input 3", "cost 3", "input 6", "cost 6", "input 2", "cost 2")


@pytest.mark.points("measure_growth", 0.5)
def test_making_the_input_costs_nothing(agree, callbacks):
    (experiment,) = experiments_of(callbacks, {2: 5.0, 4: 7.5})
    measure(agree, experiment, [2, 4])
    counts = [told(agree, experiment, what) for what in ("inputs_inside", "runs_outside", "runs_inside")]
    assert counts == [0, 0, 2]


@pytest.mark.points("measure_growth", 0.25)  # few: what runs beside a submission is seen by nobody else
def test_nothing_is_remembered_for_a_backward_pass(agree, callbacks):
    (experiment,) = experiments_of(callbacks, {2: 5.0, 4: 7.5, 5: 9.0})
    measure(agree, experiment, [2, 4, 5], agree.helper.weighted(experiment["fn"]))
    counts = [told(agree, experiment, what) for what in ("runs_remembered", "runs_inside")]
    assert counts == [0, 3]
