"""Who sits at a match."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from strongroom.contract import NAMES, Refusal, Seat, shown
from strongroom.quoting import is_visible

LONGEST_NAME: Final = 24
"""How many characters a sitter's name may have."""
SEEN: Final = "Use letters, digits and signs that show."
PERSON: Final = "person"
"""What kind of player somebody is who is asked."""


@dataclass(frozen=True, slots=True)
class Sitter:
    """Who sits in a seat: a name, and what kind of player it is."""

    name: str
    """What the sitter is called."""
    player: str = PERSON
    """A person, or the name of a bot."""

    def __post_init__(self) -> None:
        for text in (self.name, self.player):
            if not isinstance(text, str) or not 1 <= len(text) <= LONGEST_NAME:
                raise Refusal(f"A name has 1 to {LONGEST_NAME} printable characters.")
            if not text.isprintable() or text != " ".join(text.split()):
                raise Refusal(f"{shown(text)} is no name: it has odd characters or blanks in it.")
            if not is_visible(text):
                raise Refusal(f"{shown(text)} is no name: a part of it cannot be seen.", SEEN)

    @property
    def is_person(self) -> bool:
        """Whether somebody sits there who is asked, and no bot."""
        return self.player == PERSON

    @property
    def is_nameless(self) -> bool:
        """Whether the sitter has no name but that of a seat."""
        return self.name in NAMES.values()

    @property
    def described(self) -> str:
        """The name, and of a bot also what it is where the name does not say so.

        >>> Sitter("Master", "master").described, Sitter("Max", "master").described
        ('Master', 'Max (master)')
        """
        plain = self.is_person or self.name.casefold() == self.player.casefold()
        return self.name if plain else f"{self.name} ({self.player})"


def check_names_differ(one: Sitter, two: Sitter) -> None:
    """Refuse two sitters whom nobody could tell apart."""
    if one.name == two.name:
        raise Refusal("The two names must differ.")


def called_by_seat(one: Sitter, two: Sitter) -> tuple[Sitter, Sitter]:
    """The sitters of both seats; whoever has no name of their own is called after the seat.

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
