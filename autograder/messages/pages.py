"""Text of people and programs for pages on which it must do nothing: no tag, no link, no formula.

nbgrader's pages show Markdown and HTML unescaped, and MathJax goes through them afterwards. It makes formulas of what
stands between dollar signs or behind backslashes, also where these were entities, and formulas can link, colour and
grow. It leaves code alone; there, no address becomes a link either.
"""

from __future__ import annotations

import re
from html import escape

_NOTHING = "\u200b"  # zero width

# What begins a tag, a link's target, an entity or a TeX command; an address, which would become a link.
_ACTIVE = re.compile(r"(?ai)<(?=[a-z/!?])|\](?=[(\[:])|&(?=[a-z#])|\\(?=[a-z])|(:)(?=//)|(?<=\bwww)(\.)")

# A heading, of either kind, gets an id, which must be none of ours: links on the page would lead there. An address of
# mail becomes a link; what is a product of matrices, or code, must look the same, so no entity holds it together.
_BLANK = r"[^\S\r\n]"
_FENCE = rf"(?:[>*+-]|{_BLANK})*(?:`{{3,}}|~{{3,}}){_BLANK}*$"
_UNDERLINE = rf"{_BLANK}*(?:\r\n?|\n)(?:>|{_BLANK})*[=-]+{_BLANK}*(?:[\r\n]|\Z)"
_NAMED = re.compile(
    rf"(?m)(?<![^\s>*+.)-])#+{_BLANK}*(?=[^\s#])"
    rf"|(?:^|(?<=\r))(?!{_FENCE})[^\r\n]*\S(?={_UNDERLINE})"
    r"|(?<=[\w.+-])@(?=\w)"
)

_SPAN = re.compile(r"(?<!`)`[^`]+`(?!`)")
_WORD = re.compile(rf"(?:{_SPAN.pattern}|\S)+")
_FORMULA = re.compile(r"[$\\]")
_FORMATS = re.compile(r"[`*~]|(?<!\w)_|_(?!\w)")
_BLOCK = re.compile(r"[#>+*=|-]|\d+[.)]$")  # at the beginning of a line: a heading, a quotation, a list


def inert(markdown: str) -> str:
    """Markdown that looks the same but makes neither tags nor links, nor formulas that do more than show signs.

    The id of a heading is none that anybody else would give.
    """
    return _NAMED.sub(rf"\g<0>{_NOTHING}", _ACTIVE.sub(_broken, markdown))


def _broken(found: re.Match[str]) -> str:
    """An address is held together by an entity, so that it can still be copied; elsewhere something invisible parts."""
    return f"&#{ord(found[0])};" if found[1] or found[2] else found[0] + _NOTHING


def as_markdown(line: str) -> str:
    """One line of plain text as Markdown that shows just that: each word that would do something is code.

    What stands between two backticks is code already.
    """
    return _WORD.sub(_word, line)


def _word(found: re.Match[str]) -> str:
    word = found[0]
    outside = _SPAN.sub("", word)
    acts = _ACTIVE.search(outside) or _FORMULA.search(outside) or (len(word) > 1 and _FORMATS.search(outside))
    begins = found.start() == 0 and _BLOCK.match(outside)
    if not (acts or begins or "`" in outside):
        return word
    fence = "`" * (1 + max(map(len, re.findall("`+", word)), default=0))
    gap = " " if "`" in word else ""
    return f"{fence}{gap}{word}{gap}{fence}"


def as_html(text: str) -> str:
    """Text as HTML that shows just that: each word of which a formula could be made is code."""
    return re.sub(r"\S*[$\\]\S*", r"<code>\g<0></code>", escape(text))
