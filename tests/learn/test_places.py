"""Where the kit is found, and where progress is kept."""

import shutil

import pytest

from autograder.learn.places import find_kit
from autograder.model import UsageError

NAME = "04_masked_softmax"


@pytest.mark.parametrize("start", [".", "assignments", f"assignments/{NAME}", "notes/deep"])
def test_a_kit_is_found_from_anywhere_in_it(kit, start):
    (kit / "notes" / "deep").mkdir(parents=True)
    found = find_kit(kit / start)
    assert (found.folder, found.root) == (kit / "assignments", kit)
    assert found.names == tuple(sorted(folder.name for folder in (kit / "assignments").iterdir()))
    assert NAME in found.names


def test_assignments_may_stand_in_any_folder(kit):
    shutil.copytree(kit / "assignments" / NAME, kit / "elsewhere" / NAME)
    found = find_kit(kit / "elsewhere" / NAME)
    assert (found.names, found.root) == ((NAME,), kit / "elsewhere")


def test_an_assignment_is_known_by_its_number_or_a_part_of_its_name(kit):
    assert [find_kit().name_of(asked) for asked in ("4", "masked", NAME)] == [NAME] * 3
    with pytest.raises(UsageError, match="did you mean 04_masked_softmax"):
        find_kit().name_of("maskd_softmax")


def test_elsewhere_the_kit_beside_the_engine_serves(tmp_path):
    found = find_kit(tmp_path)
    assert NAME in found.names
    assert found.root == tmp_path
