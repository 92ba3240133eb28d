"""What a learner may see and run. Time passes on a pretend device only, so every run gives the same seconds."""

import pytest
import torch


def device_of(agree, durations, **how):
    """A pretend device: its work, its clock and its synchronize, and the device itself."""
    device = agree.helper.PretendDevice(durations, **how)
    return device.part("work"), device.part("clock"), device.part("synchronize"), device


def experiment_of(agree, costs, runs=1):
    """A pretend experiment: its make_input, its fn and its cost, and the experiment itself."""
    experiment = agree.helper.Experiment(costs, runs)
    return experiment.part("make_input"), experiment.part("fn"), experiment.part("cost"), experiment


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
def test_the_time_in_the_middle_is_given(agree):
    work, clock, _, device = device_of(agree, [64.0, 3.0, 5.0, 20.0, 9.0, 4.0], queues=False)
    agree.median_time(work, repeats=5, warmup=1, clock=clock)
    device.get("calls")


@pytest.mark.points("median_time", 0.5)
def test_of_an_even_number_the_middle_two_are_averaged(agree):
    work, clock, _, device = device_of(agree, [8.0, 2.0, 30.0, 7.0, 16.0], queues=False)
    agree.median_time(work, repeats=4, warmup=1, clock=clock)
    device.get("calls")


@pytest.mark.points("median_time", 0.5)
def test_warmup_calls_do_not_count(agree):
    work, clock, _, device = device_of(agree, [90.0, 50.0, 40.0, 6.0, 8.0, 5.0, 3.0], queues=False)
    agree.median_time(work, repeats=3, warmup=3, clock=clock)
    device.get("calls")
    work, clock, _, device = device_of(agree, [90.0, 7.0, 11.0, 5.0, 3.0], queues=False)
    agree.median_time(work, repeats=3, warmup=0, clock=clock)
    device.get("calls")


@pytest.mark.points("median_time", 1)
def test_the_device_is_waited_for(agree):
    work, clock, synchronize, device = device_of(agree, [32.0, 6.0, 13.0, 4.0, 7.0, 10.0], launch=0.5)
    agree.median_time(work, repeats=5, warmup=1, clock=clock, synchronize=synchronize)
    device.get("read_while_working")
    work, clock, synchronize, device = device_of(agree, [32.0, 6.0], launch=0.5)
    agree.median_time(work, repeats=1, warmup=1, clock=clock, synchronize=synchronize)
    device.get("read_while_working")


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
def test_each_size_gives_its_cost_in_order(agree):
    make_input, fn, cost, experiment = experiment_of(agree, {2: 5.0, 3: 7.5, 6: 36.25})
    agree.measure_growth(make_input, fn, [3, 6, 2], cost)
    experiment.get("order")


@pytest.mark.points("measure_growth", 0.5)
def test_making_the_input_costs_nothing(agree):
    make_input, fn, cost, experiment = experiment_of(agree, {2: 5.0, 4: 7.5})
    agree.measure_growth(make_input, fn, [2, 4], cost)
    experiment.get("inputs_inside")
    experiment.get("runs_outside")


@pytest.mark.points("measure_growth", 0.5)
def test_nothing_is_remembered_for_a_backward_pass(agree):
    make_input, fn, cost, experiment = experiment_of(agree, {2: 5.0, 4: 7.5, 5: 9.0})
    agree.measure_growth(make_input, fn, [2, 4, 5], cost)
    experiment.get("runs_remembered")
