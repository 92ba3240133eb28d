"""Requests that cannot be met, as a message that can be said in the asker's language."""

from __future__ import annotations

from typing import Any

from autograder.messages import say
from autograder.model import Message, Note, UsageError


class Refused(UsageError):
    """A UsageError with its message: its text is English, `in_language` says it in another."""

    def __init__(self, id_: str, **with_: Any) -> None:
        super().__init__(say(id_, "en", **with_))
        self.message = Message(id_, with_)

    def in_language(self, language: str) -> str:
        """The one line for the person who asked."""
        return say(self.message.id, language, **self.message.with_)


class Illegible(Refused):
    """A file was named in which there is no code to be had, for a reason that is itself a message."""

    def __init__(self, path: str, reason: Note) -> None:
        super().__init__("usage-unreadable", path=path, text=say(reason.id, "en", **reason.with_))
        self.path, self.reason = path, reason

    def in_language(self, language: str) -> str:
        """The one line, the reason in the same language."""
        reason = say(self.reason.id, language, **self.reason.with_)
        return say(self.message.id, language, path=self.path, text=reason)
