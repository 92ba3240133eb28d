"""A pack names what the full kit names, from numbers alone, and tells nobody the solution."""

import json
import shutil
from pathlib import Path

import msgspec
import pytest

from autograder.content import examples, load
from autograder.graders.kit import Kit
from autograder.graders.report import findings
from autograder.graders.session import run_graders
from autograder.learn.kit import PackKit
from autograder.learn.pack import FILE, Pairs, part, read_pack
from autograder.learn.packing import write_pack
from autograder.model import ContentError
from autograder.targets.inprocess import InProcess

ROOT = Path(__file__).resolve().parents[2]
NAMES = sorted(folder.name for folder in (ROOT / "solutions").glob("0*"))
MISTAKEN = {name: [e for e in examples(ROOT / "solutions" / name) if e.kind == "mistaken"] for name in NAMES}
# Every ninth of each, and all that hold several mistakes at once. Packs know pairs, and so nothing of three.
FILES = [(name, number, e) for name in NAMES for number, e in enumerate(MISTAKEN[name])]
SAMPLE = [(name, e) for name, number, e in FILES if (number % 9 == 0 and len(e.ids) < 3) or len(e.ids) == 2]
OF_THREE = [(name, e) for name, _, e in FILES if len(e.ids) > 2]


def words(part):
    """An example by its name, for pytest."""
    return part if isinstance(part, str) else part.path.stem


SMALL = {
    "assignment.toml": "version = 1\nminutes = 5\n[functions.double]\npoints = 20\n",
    "solution.py": "def double(x):\n    twice = 2 * x  # (n,)\n    return twice\n",
    "test_visible.py": (
        "import pytest\n\n\n@pytest.mark.points('double', 20)\ndef test_it_doubles(agree, make):\n"
        "    doubled = agree.double(make.tensor(3))\n"
    ),
    "test_hidden.py": "",
    "mistakes.toml": (
        '[[mistake]]\nid = "times-three"\nfrequency = "common"\nsource = "here"\nfind = "2 * x"\nreplace = "3 * x"\n'
    ),
}
TEXT = """title = "Twice"
[functions]
double = "twice"
[tests]
it_doubles = "doubles"
[mistakes.times-three]
says = "takes three times x"
why = "Counting."
hints = ["try 1"]
"""


@pytest.fixture(scope="module")
def kits():
    """Of each assignment the full kit, without points that a pack knows nothing of, and the one from its pack."""
    full = {name: Kit(load(ROOT / "solutions" / name)) for name in NAMES}
    for kit in full.values():
        kit.follow_through = False
    return {name: (full[name], PackKit(read_pack(ROOT / "assignments" / name / FILE))) for name in NAMES}


@pytest.fixture
def small(tmp_path):
    """An authored folder of one function."""
    folder = tmp_path / "90_twice"
    folder.mkdir()
    for name, content in {**SMALL, "text.en.toml": TEXT, "text.ja.toml": TEXT}.items():
        (folder / name).write_text(content, encoding="utf-8")
    return folder


def packed(folder):
    """A pack beside its tests, as it is built."""
    built = folder.parent / "assignments" / folder.name
    built.mkdir(parents=True, exist_ok=True)
    shutil.copy(folder / "test_visible.py", built)
    write_pack(folder, built / FILE)
    return built / FILE


def found(kit, source):
    target = InProcess.from_source(source, kit.assignment.helpers, filename="answer.py", watch=kit.watch)
    return findings(kit, run_graders(kit, target, visible_only=True))


@pytest.mark.parametrize(("name", "example"), SAMPLE, ids=words)
def test_a_pack_names_what_the_full_kit_names(kits, name, example):
    source = example.path.read_text(encoding="utf-8")
    full, pack = (found(kit, source) for kit in kits[name])
    authored = [one for one in full if not any(mistake.id == "edit" for mistake in one.mistakes)]
    assert [one for one in pack if one.mistakes or one.one_of] == [
        one for one in authored if one.mistakes or one.one_of
    ]


@pytest.mark.parametrize(("name", "example"), OF_THREE, ids=words)
def test_of_three_mistakes_a_pack_names_no_other(kits, name, example):
    pack = kits[name][1]
    findings_of_pack = found(pack, example.path.read_text(encoding="utf-8"))
    there = [one for one in pack.assignment.mistakes if one.id in example.ids]
    named = {mistake.id for finding in findings_of_pack for mistake in finding.mistakes}
    assert named <= {name for one in there for name in (one.id, *one.looks_like)}


@pytest.mark.parametrize("name", NAMES)
def test_a_right_answer_passes(kits, solutions, name):
    pack = kits[name][1]
    target = InProcess.from_source(solutions[name], pack.assignment.helpers, filename="answer.py")
    runs = run_graders(pack, target, visible_only=True)
    assert {ran.status for ran in runs} == {"passed"}


@pytest.mark.parametrize("name", NAMES)
def test_a_pack_is_small_and_read_at_once(name):
    file = ROOT / "assignments" / name / FILE
    assert file.stat().st_size < 1 << 20
    pack = read_pack(file)
    assert len(part(pack, "pairs", Pairs).pairs) > 500
    assert len(pack.examples) > 50


@pytest.mark.parametrize("name", NAMES)
def test_a_pack_holds_no_line_of_the_solution_or_of_an_edit_and_no_hidden_test(solutions, name):
    assignment = load(ROOT / "solutions" / name)
    text = (ROOT / "assignments" / name / FILE).read_text(encoding="utf-8")
    code = [line.split("  #")[0].strip() for line in solutions[name].splitlines()]
    edits = [edit.text for mistake in assignment.mistakes for case in mistake.cases for edit in case.edits]
    hidden = (assignment.folder / "test_hidden.py").read_text(encoding="utf-8")
    names = [line.split("(")[0].removeprefix("def ") for line in hidden.splitlines() if line.startswith("def test_")]
    secret = [line for line in [*code, *edits] if "=" in line and len(line) > 20]
    told = [
        line for line in [*secret, *(name.removeprefix("test_") for name in names)] if json.dumps(line)[1:-1] in text
    ]
    assert len(secret) > 20
    assert names
    assert not told


def test_the_same_folder_gives_the_same_bytes(small):
    first = packed(small).read_bytes()
    assert packed(small).read_bytes() == first


def test_a_small_pack_names_its_mistake(small):
    kit = PackKit(read_pack(packed(small)))
    [one] = found(kit, "def double(x):\n    return x + x + x\n")
    assert [mistake.id for mistake in one.mistakes] == ["times-three"]
    [unknown] = found(kit, "def double(x):\n    return x - 1\n")
    assert unknown.property is not None


def test_a_test_whose_calls_depend_on_the_submission_is_a_fault(small):
    test = (small / "test_visible.py").read_text(encoding="utf-8")
    (small / "test_visible.py").write_text(test + "    agree.double(doubled)\n", encoding="utf-8")
    with pytest.raises(ContentError, match=r"test_visible.py: .* depends on what the submission returned"):
        packed(small)


def damaged(pack, **parts):
    content = json.loads(pack.read_text(encoding="utf-8")) | parts
    pack.write_text(json.dumps(content), encoding="utf-8")


@pytest.mark.parametrize(
    ("content", "line"),
    [
        (b"", "is not a pack"),
        (b"\xff\xfe", "is not a pack"),
        (b"[" * 100_000, "is not a pack"),
        (b'{"format": "one"}', "is not a pack"),
        (b" " * (1 << 20) + b"{}", "is larger than a pack may be"),
        (None, "cannot be read"),
    ],
)
def test_a_file_that_is_no_pack_gets_one_line(tmp_path, content, line):
    if content is not None:
        (tmp_path / FILE).write_bytes(content)
    with pytest.raises(ContentError, match=line) as error:
        read_pack(tmp_path / FILE)
    assert str(error.value).startswith(str(tmp_path / FILE))
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("parts", "line"),
    [
        ({"format": 2}, "has format 2"),
        ({"questions": "?"}, "questions: "),
        ({"cases": []}, "cases: "),
        ({"outcomes": "eJwDAAAAAAE="}, "outcomes: "),
        ({"outcomes": "AAAA"}, "outcomes: "),
        ({"tests_sha256": ""}, "has changed since its pack.json was made"),
    ],
)
def test_a_damaged_part_gets_one_line(small, parts, line):
    file = packed(small)
    damaged(file, **parts)
    with pytest.raises(ContentError, match=line) as error:
        found(PackKit(read_pack(file)), "def double(x):\n    return x\n")
    assert "\n" not in str(error.value)


def test_what_unpacks_to_too_much_is_refused(small):
    import base64
    import zlib

    file = packed(small)
    damaged(file, questions=base64.b64encode(zlib.compress(bytes(80 << 20))).decode())
    with pytest.raises(ContentError, match="unpacks to too much"):
        read_pack(file)


def test_answers_are_obscured(solutions):
    pack = ROOT / "assignments" / "02_qkv_projections" / FILE
    choices = [question for question in read_pack(pack).assignment.questions if question.kind == "choice"]
    assert choices
    for question in choices:
        assert f'"answer":"{question.answer}"' not in pack.read_text(encoding="utf-8")
    assert msgspec.json.decode(pack.read_bytes())["assignment"].get("questions", []) == []
