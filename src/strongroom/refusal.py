"""What is answered to a line, a move or an option that is not accepted, and how lines are read."""

from __future__ import annotations


def shown(text: str, width: int = 24) -> str:
    """A person's own text, short and harmless enough to be quoted back on a screen.

    >>> shown("ab" * 40)
    "'ababababababababababab...'"
    """
    printable = "".join(char if char.isprintable() else "?" for char in text.strip()[: width + 1])
    return f"'{printable if len(printable) <= width else printable[: width - 2] + '...'}'"


def whole_number(digits: str) -> int:
    """The number that a row of digits means; of a very long one, one as far out of any range.

    >>> whole_number("0000000031")
    31
    """
    return int(digits.lstrip("0")[:9] or "0")


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


class NotLegal(Refusal):
    """The move exists, but may not be made here."""


class Ambiguous(Refusal):
    """The text could mean several moves; more of it would settle which."""


class BadOption(Refusal):
    """An option that a game does not have, or a value outside its range."""


class UnknownName(Refusal):
    """A name under which nothing is registered."""
