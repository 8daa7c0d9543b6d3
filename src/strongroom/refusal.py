"""What is answered to a line, a move or an option that is not accepted."""

from __future__ import annotations


def shown(text: str, width: int = 24) -> str:
    """A person's own text, short and harmless enough to be quoted back on a screen.

    >>> shown("ab" * 40)
    "'ababababababababababab...'"
    """
    printable = "".join(char if char.isprintable() else "?" for char in text.strip()[: width + 1])
    return f"'{printable if len(printable) <= width else printable[: width - 2] + '...'}'"


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
