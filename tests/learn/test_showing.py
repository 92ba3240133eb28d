"""Calls as learners would type them, with what made the objects that they need."""

import torch

from autograder.calls import Action, Handle, Step
from autograder.learn.showing import call_text

DEVICE, WORK, LAYER = Handle(1), Handle(2), Handle(3)
MAKE = Step(Action.HELPER, "PretendDevice", ([3.0, 4.5],), {"launch": 0.5}, into=DEVICE)
PART = Step(Action.GET, "work", on=DEVICE, into=WORK)
TIME = Step(Action.CALL, "median_time", (WORK,), {"repeats": 2})
READ = Step(Action.GET, "calls", on=DEVICE)


def test_a_call_without_objects_stands_alone():
    assert call_text([Step(Action.CALL, "f", (torch.ones(2, 3), 5))]) == "f([[1, 1, 1], [1, 1, 1]], 5)"
    assert call_text([TIME, Step(Action.CALL, "f", (1,), {"name": "a"})]) == "f(1, name='a')"


def test_an_object_is_made_before_it_is_used():
    assert (
        call_text([MAKE, PART, TIME])
        == "device = PretendDevice([3, 4.5], launch=0.5); median_time(device.work, repeats=2)"
    )


def test_what_was_done_with_an_object_comes_before_what_is_read_of_it():
    assert call_text([MAKE, PART, TIME, READ]).split("; ")[1:] == [
        "median_time(device.work, repeats=2)",
        "device.calls",
    ]


def test_in_a_call_that_would_be_long_every_array_stands_by_its_shape():
    call = Step(Action.CALL, "f", (torch.full((4, 4), 0.125), torch.full((3,), 0.25), 2), {"names": ["a" * 9] * 2})
    assert call_text([call]) == "f(tensor (4, 4), tensor (3,), 2, names=['aaaaaaaaa', 'aaaaaaaaa'])"


def test_a_layer_is_called_a_layer_however_often_it_was_called():
    make = Step(Action.CONSTRUCT, "QKVProjection", (8, 5), into=LAYER)
    load = Step(Action.LOAD, "load", ({"weight": torch.ones(9, 9)},), on=LAYER)
    call = Step(Action.METHOD, "__call__", (torch.ones(9, 9),), on=LAYER)
    assert call_text([make, load, call, call]) == "layer = QKVProjection(8, 5); layer(tensor (9, 9))"


def test_two_objects_have_two_names():
    second = Step(Action.HELPER, "PretendDevice", ([1.0],), into=LAYER)
    both = Step(Action.CALL, "race", (DEVICE, LAYER))
    assert call_text([MAKE, second, both]).endswith("device_3 = PretendDevice([1]); race(device, device_3)")
