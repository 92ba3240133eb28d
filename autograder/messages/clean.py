"""Text that came from a submission, made fit to be shown."""

from __future__ import annotations

import re
import unicodedata

_LONGEST = 400  # characters; an exception's text can be megabytes long

# CSI ... final byte; OSC ... BEL or ST; two-character escapes: removed whole, so that no "[31m" stays behind.
_ESCAPES = re.compile(
    r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|(?:\x1b\]|\x9d)[^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)?|\x1b[ -/]*[0-~]"
)
# Blanks by another name: fillers of Hangul, the braille cell without dots, a note without a head, hieroglyphic blanks.
_EMPTY = re.compile("[\u115f\u1160\u2800\u3164\uffa0\U00013441\U00013442\U0001d159]")


def clean(text: str, longest: int = _LONGEST) -> str:
    """One line of `text` without terminal codes, control characters, bidi overrides and invisible characters.

    What is as empty as a space but no space is shown as "?": with it, a name could look like a line of its own.
    """
    shortened = _EMPTY.sub("?", _ESCAPES.sub("", text[: 4 * longest]))
    kept = " ".join("".join(c for c in shortened if c.isspace() or not _is_hidden(c)).split())
    return kept if len(kept) <= longest else kept[: longest - 1] + "…"


def _is_hidden(character: str) -> bool:
    """Controls, format characters (bidi, zero width, tags), surrogates, private use, unassigned."""
    return unicodedata.category(character).startswith("C")
