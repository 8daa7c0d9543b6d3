"""What is answered to a line, a move or an option that is not accepted, and how lines are read."""

from __future__ import annotations

from enum import Enum

from strongroom.quoting import harmless, shown, shown_value

__all__ = [
    "LONGEST_LINE",
    "Ambiguous",
    "BadOption",
    "NotLegal",
    "NotUnderstood",
    "Refusal",
    "Rule",
    "UnknownName",
    "harmless",
    "shown",
    "shown_value",
    "tidy",
]

LONGEST_LINE = 200
"""How many characters an answer at the table may have, runs of blanks counted as one."""


def tidy(line: str) -> str:
    """A person's line with its blanks collapsed; a longer one than anybody needs is refused.

    Patterns only ever see what this gives, so no line can keep one busy.

    >>> tidy("  request   a clue ")
    'request a clue'
    """
    if len(line) <= 100 * LONGEST_LINE:
        line = " ".join(line.split())
    if len(line) > LONGEST_LINE:
        raise NotUnderstood(f"A line has at most {LONGEST_LINE} characters.", "Say it shorter.")
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
    """The text is no move of this game."""


class Rule(Enum):
    """A rule that can forbid a move; every game lists its own as a subclass."""


class NotLegal(Refusal):
    """The move exists, but may not be made here; `rule` is what forbids it, where one rule does.

    Words that say it otherwise go by the rule, never by the sentence.
    """

    def __init__(self, reason: str, accepted: str = "", rule: Rule | None = None) -> None:
        super().__init__(reason, accepted)
        self.rule = rule


class Ambiguous(Refusal):
    """The text could mean several moves; more of it would settle which."""


class BadOption(Refusal):
    """An option that a game does not have, or a value outside its range."""


class UnknownName(Refusal):
    """A name under which nothing is registered."""
