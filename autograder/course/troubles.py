"""Requests that cannot be met, as a message that can be said in the asker's language."""

from __future__ import annotations

from typing import Any

from autograder.messages import say
from autograder.model import Message, UsageError


class Refused(UsageError):
    """A UsageError with its message: its text is English, `in_language` says it in another."""

    def __init__(self, id_: str, **with_: Any) -> None:
        super().__init__(say(id_, "en", **with_))
        self.message = Message(id_, with_)

    def in_language(self, language: str) -> str:
        """The one line for the person who asked."""
        return say(self.message.id, language, **self.message.with_)
