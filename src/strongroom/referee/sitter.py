"""The sitters of a match: people and bots."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from strongroom.contract import NAMES, Refusal, Seat, shown
from strongroom.text.quoting import is_visible

LONGEST_NAME: Final = 24
"""The most characters in a sitter's name."""
LONGEST_PLAYER: Final = 200
"""The most characters in what says what kind of player a sitter is."""
SEEN: Final = "Use letters, digits and visible signs."
PERSON: Final = "person"
"""The kind of player of a person, as opposed to a bot's name."""


@dataclass(frozen=True, slots=True)
class Sitter:
    """Who sits in a seat: a name, and what kind of player it is."""

    name: str
    """What the sitter is called."""
    player: str = PERSON
    """A person, or the name of a bot."""

    def __post_init__(self) -> None:
        for text, longest in ((self.name, LONGEST_NAME), (self.player, LONGEST_PLAYER)):
            if not isinstance(text, str) or not 1 <= len(text) <= longest:
                raise Refusal(f"A name has 1 to {longest} printable characters.")
            if not text.isprintable() or text != " ".join(text.split()):
                raise Refusal(f"{shown(text)} is not a name: it contains odd characters or blanks.")
            if not is_visible(text):
                raise Refusal(f"{shown(text)} is not a name: part of it is invisible.", SEEN)

    @property
    def is_person(self) -> bool:
        """Whether the sitter is a person, and no bot."""
        return self.player == PERSON

    @property
    def is_nameless(self) -> bool:
        """Whether the sitter has only the name of a seat."""
        return self.name in NAMES.values()

    @property
    def described(self) -> str:
        """The name, and a bot's kind where the name does not say it.

        >>> Sitter("Master", "master").described, Sitter("Max", "master").described
        ('Master', 'Max (master)')
        """
        plain = self.is_person or self.name.casefold() == self.player.casefold()
        return self.name if plain else f"{self.name} ({self.player})"


def check_names_differ(one: Sitter, two: Sitter) -> None:
    """Refuse two sitters with the same name."""
    if one.name == two.name:
        raise Refusal("The two names must differ.")


def called_by_seat(one: Sitter, two: Sitter) -> tuple[Sitter, Sitter]:
    """The sitters of both seats; one without a name of their own is named after the seat.

    >>> [sitter.name for sitter in called_by_seat(Sitter("Player 2"), Sitter("Ada"))]
    ['Player 1', 'Ada']
    """
    first, second = (
        replace(sitter, name=NAMES[seat]) if sitter.is_nameless else sitter
        for seat, sitter in zip(Seat, (one, two), strict=True)
    )
    return first, second


SITTERS: Final = (Sitter(NAMES[Seat.ONE]), Sitter(NAMES[Seat.TWO]))
"""Two people without names."""
