"""What only the instructor runs."""

import re

import pytest
import torch

HUGE = (4096, 96, 2**27 + 1, 2**30 + 3)  # more scores than 64 bits count


def drawn(make, n):
    """n different durations, in an order that is drawn."""
    return [float(2 * number + 3) for number in make.permutation(n).tolist()]


def device_of(agree, durations, **how):
    """A pretend device: its work, its clock and its synchronize, and the device itself."""
    device = agree.helper.PretendDevice(durations, **how)
    return device.part("work"), device.part("clock"), device.part("synchronize"), device


def experiment_of(agree, costs, runs=1):
    """A pretend experiment: its make_input, its fn and its cost, and the experiment itself."""
    experiment = agree.helper.Experiment(costs, runs)
    return experiment.part("make_input"), experiment.part("fn"), experiment.part("cost"), experiment


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
def test_any_number_of_repeats_in_any_order(agree, make):
    for repeats, warmup in ((7, 2), (6, 0), (2, 1), (1, 0), (1, 4)):
        work, clock, _, device = device_of(agree, drawn(make, repeats + warmup), queues=False)
        agree.median_time(work, repeats=repeats, warmup=warmup, clock=clock)
        device.get("calls")


@pytest.mark.points("median_time", 0.25)
def test_without_a_word_five_calls_are_timed_after_one(agree, make):
    work, clock, _, device = device_of(agree, [200.0, *drawn(make, 5)], queues=False)
    agree.median_time(work, clock=clock)
    device.get("calls")


@pytest.mark.points("median_time", 0.5)
def test_the_device_has_finished_before_each_reading(agree, make):
    for repeats, warmup in ((4, 2), (3, 0), (1, 3)):
        work, clock, synchronize, device = device_of(agree, drawn(make, repeats + warmup), launch=0.25)
        agree.median_time(work, repeats=repeats, warmup=warmup, clock=clock, synchronize=synchronize)
        device.get("read_while_working")
        device.get("calls")


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


@pytest.mark.points("measure_growth", 0.5)
def test_a_cost_may_run_its_call_several_times(agree):
    make_input, fn, cost, experiment = experiment_of(agree, {3: 2.0, 7: 4.0}, runs=3)
    agree.measure_growth(make_input, fn, [7, 3], cost)
    experiment.get("sizes_made")
    experiment.get("runs_inside")
    experiment.get("runs_outside")
    experiment.get("runs_remembered")
    experiment.get("order")


@pytest.mark.points("measure_growth", 0.5)
def test_costs_are_passed_on_as_they_are(agree):
    make_input, fn, cost, _ = experiment_of(agree, {2: 2**60 + 1, 3: 1e-9, 5: 0})
    agree.measure_growth(make_input, fn, (5, 3, 2, 3), cost)
    make_input, fn, cost, experiment = experiment_of(agree, {6: 3.5})
    agree.measure_growth(make_input, fn, [6], cost)
    experiment.get("order")
