"""The five games played with a pointer: what is touched for each move."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from playwright.sync_api import expect

from tests.page.people import Person


@dataclass(frozen=True)
class Play:
    """A whole game between two people: every move with its seat."""

    name: str
    title: str
    moves: tuple[tuple[int, str], ...]
    """The seat that moves, and its move; the set-up first."""
    secrets: tuple[tuple[str, ...], tuple[str, ...]]
    """What each seat hides."""

    @property
    def set_up(self) -> tuple[tuple[int, str], ...]:
        return self.moves[: sum(map(len, self.secrets))]

    @property
    def turns(self) -> tuple[tuple[int, str], ...]:
        return self.moves[sum(map(len, self.secrets)) :]


def turns_of(text: str) -> tuple[tuple[int, str], ...]:
    """Turns that are written as `seat:move`, with a comma between them."""
    turns = (turn.strip().partition(":") for turn in text.split(","))
    return tuple((int(seat), move) for seat, _, move in turns)


def _play(name: str, secrets: tuple[tuple[str, ...], tuple[str, ...]], turns: str) -> Play:
    set_up = tuple((seat, text) for seat in (1, 2) for text in secrets[seat - 1])
    return Play(name, name.replace("-", " ").title(), set_up + turns_of(turns), secrets)


CLUES = ("even", "divisible by 3", "less than 20"), ("prime", "odd", "less than 9")
PLAYS = (
    _play("safecracker-duel", (("3-4-2",), ("5-1-3",)), "1:1 3, 2:2 2, 1:2 4, 2:3 3, 1:3 2"),
    _play("safe-cracker", (("2-1-3",), ("3-3-1",)), "1:1-1-1, 2:1-2-3, 1:3-3-1"),
    _play("safe-code", (("18", *CLUES[0]), ("7", *CLUES[1])), "1:11, 2:clue, 1:clue, 2:16, 1:7"),
    _play("digit-deductions", (("3-7",), ("5-6",)), "1:5-5, 2:3-5, 1:5-6"),
    _play(
        "quantum-duel", ((), ()), "1:1, 2:7, 1:2, 2:no, 2:6, 1:no, 1:3, 2:no, 2:5, 1:no, 1:4, 2:no"
    ),
)
"""A game of each of the five, won by the player who begins."""
ADDED = _play("bluff", ((), ()), "1:4, 2:doubt")
"""A game from another package, on the board that such games have."""
NAMED = {play.name: play for play in PLAYS}


def are_played(people: Sequence[Person], moves: Sequence[tuple[int, str]]) -> None:
    """Make moves, each with its seat, without touching the board."""
    for seat, move in moves:
        people[seat - 1].moves(move)


def chooses(person: Person, game: str, move: str) -> None:
    """Choose a move by touching the board, without sending it."""
    person.is_asked()
    touches(person, game, move)


def confirms(person: Person, move: str) -> None:
    """Send the move that is chosen, or give the answer that needs no choice before."""
    if move in ANSWERS:
        person.page.get_by_role("button", name=ANSWERS[move]).click()
        person.is_done()
    else:
        person.sends()


def touches(person: Person, game: str, move: str) -> None:
    """Choose a move on the board, whoever is asked."""
    TOUCHES[game](person, move)


def plays(person: Person, game: str, move: str) -> None:
    """Make a move: choose it on the board, then press the button."""
    chooses(person, game, move)
    confirms(person, move)


def _spins(person: Person, move: str, part: str) -> None:
    """Press the small arrows until each dial or wheel is right, at least once to choose it."""
    wanted = [tuple(move.split())] if " " in move else [*enumerate(move.split("-"), 1)]
    for place, digit in wanted:
        name = f"{part} {place}"
        spin = person.board.get_by_role("spinbutton", name=name)
        start = int(spin.get_attribute("aria-valuenow") or 0)
        ways = ["up"] * (int(digit) - start) or ["down"] * (start - int(digit))
        for way in ways:
            person.board.get_by_role("button", name=f"{name} {way}").click()
        if not ways:
            spin.focus()
            spin.press(digit)
        expect(spin).to_have_attribute("aria-valuenow", digit)


def _cells(person: Person, move: str) -> None:
    label = f'[aria-label="{move}"], [aria-label^="{move},"]'
    person.board.get_by_role("grid").locator(f"button:is({label})").click()


def _numbers(person: Person, move: str) -> None:
    if move == "clue":
        person.board.get_by_role("button", name="Request a clue").click()
        expect(person.large).to_have_text("Request clue 1 of 3")  # every player's first here
    elif move.isdigit():
        _cells(person, move)
    else:
        person.board.get_by_label("Or in your own words").fill(move)
        person.presses("Check it")
        expect(person.large).to_contain_text("Taken as: ")


def _quantum(person: Person, move: str) -> None:
    if move.isdigit():
        _cells(person, f"Cell {move}")


ANSWERS = {"yes": re.compile("^Challenge cell"), "no": re.compile("^Let it stand")}
"""The buttons that answer a contested symbol, without a choice on the board before."""


def _presses(person: Person, move: str) -> None:
    person.board.get_by_role("button", name=move, exact=True).click()


TOUCHES: dict[str, Callable[[Person, str], None]] = {
    "safecracker-duel": partial(_spins, part="Dial"),
    "safe-cracker": partial(_spins, part="Digit"),
    "safe-code": _numbers,
    "digit-deductions": _cells,
    "quantum-duel": _quantum,
    "bluff": _presses,
}
