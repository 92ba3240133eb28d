"""Text that came from a submission, made fit to be shown."""

from __future__ import annotations

import re
import unicodedata

_LONGEST = 400  # characters; an exception's text can be megabytes long

# CSI ... final byte; OSC ... BEL or ST; two-character escapes: removed whole, so that no "[31m" stays behind.
_ESCAPES = re.compile(
    r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|(?:\x1b\]|\x9d)[^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)?|\x1b[ -/]*[0-~]"
)


def clean(text: str, longest: int = _LONGEST) -> str:
    """One line of `text` without terminal codes, control characters, bidi overrides and invisible characters."""
    shortened = _ESCAPES.sub("", text[: 4 * longest])
    kept = " ".join("".join(c for c in shortened if c.isspace() or not _is_hidden(c)).split())
    return kept if len(kept) <= longest else kept[: longest - 1] + "…"


# What begins a tag, a link's target or a formula that links, where Markdown is made into a page.
_ACTIVE = re.compile(r"<(?=[a-zA-Z/!?])|\](?=[(\[:])|\\(?=[a-zA-Z])", re.ASCII)
_NOTHING = "\u200b"  # zero width


def inert(markdown: str) -> str:
    """Markdown that looks the same but makes neither tags nor links: pages of a course show it unescaped."""
    return _ACTIVE.sub(lambda found: found[0] + _NOTHING, markdown)


def _is_hidden(character: str) -> bool:
    """Controls, format characters (bidi, zero width, tags), surrogates, private use, unassigned."""
    return unicodedata.category(character).startswith("C")
