"""pack.json: an assignment without its solution, as it travels to learners.

What the reference gives to the calls of the visible tests, and what each known mistake gives where that differs, are
numbers here, keyed by the run of a test and the ordinal of the call. Reading a pack needs no PyTorch: the numbers stay
packed until somebody compares with them.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import zlib
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from msgspec.structs import replace

from autograder.model import Assignment, ContentError, Question, QuestionText, ShownCall

FORMAT = 1
FILE = "pack.json"
TESTS = "test_visible.py"
LARGEST = 1 << 20  # bytes of the file
_INPUTS = ("assignment.toml", "helpers.py", "mistakes.toml", "questions.toml", "solution.py", TESTS)
_LARGEST_UNPACKED = 64 << 20

T = TypeVar("T")


class PackedRun(msgspec.Struct, frozen=True):
    """One run of a visible test: for each of its calls the numbers of two outcomes, plain and in float64."""

    key: str
    function: str
    calls: tuple[tuple[int, int], ...]


class PackedPair(msgspec.Struct, frozen=True, array_like=True):
    """Two cases at once. `calls` lists the calls whose outcome does not follow from the cases alone.

    Alone means: the one that acts where only one does. An entry is (call, code): 0 as the reference, 1 as the first
    case, 2 as the second, from 3 on the number of a sketch.
    """

    first: int
    second: int
    calls: tuple[tuple[int, int], ...]


class PackedSketch(msgspec.Struct, frozen=True, array_like=True):
    """A sketch; its sums as the bytes of float32."""

    kind: int
    sums: bytes


class Pairs(msgspec.Struct, frozen=True):
    """Pairs of cases that can be told apart from either case alone."""

    pairs: tuple[PackedPair, ...] = ()
    sketches: tuple[PackedSketch, ...] = ()


class Questions(msgspec.Struct, frozen=True):
    """What is asked and what is right. A pack obscures it: read by nobody by accident, by anybody on purpose."""

    questions: tuple[Question, ...] = ()
    texts: dict[str, dict[str, QuestionText]] = {}


class Pack(msgspec.Struct, frozen=True):
    """The file. Calls are numbered through all runs; cases through all mistakes."""

    format: int
    made_from: str  # what `inputs_digest` gave for the authored folder
    tests_sha256: str
    assignment: Assignment
    runs: tuple[PackedRun, ...]
    cases: tuple[tuple[tuple[int, int], ...], ...]  # of each case (call, outcome), where it differs from the reference
    examples: dict[str, ShownCall]
    outcomes: str
    pairs: str
    questions: str


def read_pack(file: Path) -> Pack:
    """The pack of a file; its assignment's folder is the file's. Raises ContentError with one line."""
    try:
        with file.open("rb") as stream:
            content = stream.read(LARGEST + 1)
    except OSError as error:
        raise ContentError(f"{file}: cannot be read: {error.strerror}") from error
    if len(content) > LARGEST:
        raise ContentError(f"{file}: is larger than a pack may be ({LARGEST} bytes)")
    try:
        pack = msgspec.json.decode(content, type=Pack, dec_hook=_path)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise ContentError(f"{file}: is not a pack: {error}") from error
    if pack.format != FORMAT:
        raise ContentError(f"{file}: has format {pack.format}; this kit reads format {FORMAT}")
    return replace(pack, assignment=_with_questions(pack, file))


def write(pack: Pack) -> bytes:
    """The bytes of the file, a line for each part: the same for the same pack."""
    encoded = {name: msgspec.json.encode(getattr(pack, name), enc_hook=str) for name in Pack.__struct_fields__}
    return b"{\n" + b",\n".join(b'"%s":%s' % (name.encode(), value) for name, value in encoded.items()) + b"\n}\n"


def check_tests(pack: Pack) -> None:
    """Raises ContentError where the tests beside a pack are not those it was made from."""
    file = pack.assignment.folder / TESTS
    if not file.is_file():
        raise ContentError(f"{file}: is missing")
    if digest(file) != pack.tests_sha256:
        raise ContentError(f"{file}: has changed since its pack.json was made; take both from the kit again")


def digest(file: Path) -> str:
    """The hash of a text file, whatever its line ends."""
    return hashlib.sha256(file.read_bytes().replace(b"\r\n", b"\n")).hexdigest()


def inputs_digest(folder: Path) -> str:
    """The hash of all that a pack is made from.

    Packs are told stale by it, not by their numbers: those differ in the last bits from one processor to another.
    """
    files = sorted(path for path in folder.iterdir() if path.name in _INPUTS or path.name.startswith("text."))
    return hashlib.sha256("\n".join(f"{path.name} {digest(path)}" for path in files).encode()).hexdigest()


def packed(content: bytes) -> str:
    """Bytes as text, compressed."""
    return base64.b64encode(zlib.compress(content, 9)).decode("ascii")


def unpacked(text: str) -> bytes:
    """The bytes of `packed`. Raises ValueError for anything else."""
    try:
        inflate = zlib.decompressobj()
        content = inflate.decompress(base64.b64decode(text, validate=True), _LARGEST_UNPACKED)
    except (binascii.Error, zlib.error) as error:
        raise ValueError(str(error)) from error
    if not inflate.eof:
        raise ValueError("is cut off, or unpacks to too much")
    return content


def part(pack: Pack, name: str, kind: type[T]) -> T:
    """A packed part that holds MessagePack. Raises ContentError."""
    try:
        return msgspec.msgpack.decode(unpacked(getattr(pack, name)), type=kind)
    except (ValueError, msgspec.DecodeError, RecursionError) as error:
        raise broken(pack, name, error) from error


def broken(pack: Pack, name: str, error: Exception) -> ContentError:
    """The one line about a part that cannot be read."""
    return ContentError(f"{pack.assignment.folder / FILE}: {name}: {error}")


def _with_questions(pack: Pack, file: Path) -> Assignment:
    pack = replace(pack, assignment=replace(pack.assignment, folder=file.resolve().parent))
    asked = part(pack, "questions", Questions)
    texts = {
        language: replace(text, questions=asked.texts.get(language, {}))
        for language, text in pack.assignment.texts.items()
    }
    return replace(pack.assignment, texts=texts, questions=asked.questions)


def _path(kind: type, value: Any) -> Any:
    if kind is Path and isinstance(value, str):
        return Path(value)
    raise ValueError(f"not a {kind.__name__}")
