"""Which folder a person means."""

import pytest

from autograder.content import assignment_names, find_solutions, folders, resolve
from autograder.model import UsageError

NAMES = ["01_soft_lookup", "02_qkv_projections", "04_masked_softmax", "05_multi_head"]


@pytest.fixture
def solutions(tmp_path):
    for name in NAMES:
        (tmp_path / "solutions" / name).mkdir(parents=True)
        (tmp_path / "solutions" / name / "assignment.toml").write_text("", encoding="utf-8")
    return tmp_path / "solutions"


def test_names_come_in_order_and_without_other_folders(solutions):
    for other in ("shared", "__pycache__", "4_short"):
        (solutions / other).mkdir()
    (solutions / "06_a_file").write_text("", encoding="utf-8")
    assert assignment_names(solutions) == NAMES


def test_the_folder_is_found_from_above_from_inside_and_from_beside(solutions):
    (solutions.parent / "work" / "deep").mkdir(parents=True)
    for start in (solutions.parent, solutions, solutions / NAMES[0], solutions.parent / "work" / "deep"):
        assert find_solutions(start) == solutions.resolve()


def test_the_working_directory_is_where_the_search_begins(solutions, monkeypatch):
    monkeypatch.chdir(solutions.parent)
    assert find_solutions() == solutions.resolve()


def test_the_repository_is_searched_last(solutions, tmp_path_factory, monkeypatch):
    monkeypatch.setattr(folders, "_OURS", solutions.parent)
    assert find_solutions(tmp_path_factory.mktemp("elsewhere")) == solutions


def test_a_kit_without_solutions_says_so(tmp_path, monkeypatch):
    monkeypatch.setattr(folders, "_OURS", tmp_path)
    (tmp_path / "solutions").mkdir()
    with pytest.raises(UsageError) as caught:
        find_solutions(tmp_path)
    assert str(caught.value) == f"no folder 'solutions' in {tmp_path.resolve()} or above"


@pytest.mark.parametrize(
    "asked",
    [
        "04_masked_softmax",
        "04",
        "4",
        "masked_softmax",
        "masked",
        "Masked Softmax",
        "masked-softmax",
        " 04 ",
        "04_masked",
    ],
)
def test_a_name_a_number_or_a_part_is_enough(solutions, asked):
    assert resolve(solutions, asked) == solutions / "04_masked_softmax"


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("masked_sofmax", "no assignment 'masked_sofmax'; did you mean 04_masked_softmax? there is: "),
        ("04_maskd_softmax", "no assignment '04_maskd_softmax'; did you mean 04_masked_softmax? there is: "),
        ("7", "no assignment '7'; there is: "),
        ("", "no assignment ''; there is: "),
        ("m", "'m' fits 04_masked_softmax and 05_multi_head; there is: "),
    ],
)
def test_what_fits_nothing_or_several_is_told_with_the_names_there_are(solutions, asked, said):
    with pytest.raises(UsageError) as caught:
        resolve(solutions, asked)
    assert str(caught.value) == said + ", ".join(NAMES)
