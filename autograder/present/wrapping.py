"""Lines broken to a width: between words and, where a language has no spaces, between its characters."""

from __future__ import annotations

from collections.abc import Iterator

from rich.cells import cell_len
from rich.text import Text

# Japanese lines do not begin with these, nor end with those.
_NOT_FIRST = "、。，．・：；？！ー々…）］｝〕〉》」』】ぁぃぅぇぉっゃゅょァィゥェォッャュョ"  # noqa: RUF001
_NOT_LAST = "（［｛〔〈《「『【"  # noqa: RUF001
_WIDE = 2  # cells of a Japanese character


def wrapped(text: Text, width: int) -> list[Text]:
    """The lines of a text, each at most `width` cells wide; a word that is longer is cut."""
    lines = text.divide(_breaks(text.plain, width))
    for line in lines:
        line.rstrip()
    return list(lines)


def _breaks(plain: str, width: int) -> Iterator[int]:
    """Where lines begin, the first one aside."""
    start = place = cells = 0  # of the line: its beginning, the last place to break it, its width so far
    for index, character in enumerate(plain):
        if index > start and _may_break(plain, index):
            place = index
        cells += cell_len(character)
        if cells > width and not character.isspace():
            start = place if place > start else index
            cells = cell_len(plain[start : index + 1])
            yield start


def _may_break(plain: str, index: int) -> bool:
    """Whether a line may begin at `index`."""
    before, after = plain[index - 1], plain[index]
    if after.isspace():
        return False
    if before.isspace():
        return True
    is_wide = cell_len(before) == _WIDE or cell_len(after) == _WIDE
    return is_wide and after not in _NOT_FIRST and before not in _NOT_LAST
