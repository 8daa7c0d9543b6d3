"""Refusals of lines, moves and options that are not accepted, and how lines are tidied."""

from __future__ import annotations

from enum import Enum

from strongroom.text.quoting import harmless as harmless
from strongroom.text.quoting import quote as quote
from strongroom.text.quoting import shown_value as shown_value

LONGEST_LINE = 200
"""The maximum length of a typed line, counting a run of blanks as one character."""


def tidy(line: str) -> str:
    """A person's line with its blanks collapsed; a line that is too long is refused.

    Regular expressions only ever see the result, so no line can keep one busy.

    >>> tidy("  request   a clue ")
    'request a clue'
    """
    if len(line) <= 100 * LONGEST_LINE:
        line = " ".join(line.split())
    if len(line) > LONGEST_LINE:
        raise NotUnderstood(f"A line has at most {LONGEST_LINE} characters.", "Shorten it.")
    return line


class Refusal(ValueError):
    """Something that is not accepted: the reason, and what would be accepted instead."""

    def __init__(self, reason: str, accepted: str = "") -> None:
        super().__init__(reason, accepted)
        self.reason = reason
        self.accepted = accepted

    def __str__(self) -> str:
        return f"{self.reason} {self.accepted}".strip()


class NotUnderstood(Refusal):
    """The text is not a move of this game."""


class Rule(Enum):
    """A rule that can forbid a move; every game lists its own as a subclass."""


class NotLegal(Refusal):
    """The move exists but is not legal here; `rule` is the one rule that forbids it, if any.

    Words that rephrase the refusal go by the rule, never by the sentence.
    """

    def __init__(self, reason: str, accepted: str = "", rule: Rule | None = None) -> None:
        super().__init__(reason, accepted)
        self.rule = rule


class Ambiguous(Refusal):
    """The text could mean several moves; a more specific one would settle which."""


class BadOption(Refusal):
    """An option that a game does not have, or a value outside its range."""


class UnknownName(Refusal):
    """A name under which nothing is registered."""
