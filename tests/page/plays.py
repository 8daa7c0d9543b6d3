"""The five games played with a pointer: what is touched for each move."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

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


def _play(name: str, secrets: tuple[tuple[str, ...], tuple[str, ...]], turns: str) -> Play:
    """The turns as `seat:move`, with a comma between them."""
    set_up = tuple((seat, text) for seat in (1, 2) for text in secrets[seat - 1])
    played = (turn.strip().partition(":") for turn in turns.split(","))
    moves = set_up + tuple((int(seat), move) for seat, _, move in played)
    return Play(name, name.replace("-", " ").title(), moves, secrets)


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
NAMED = {play.name: play for play in PLAYS}


def are_played(people: Sequence[Person], moves: Sequence[tuple[int, str]]) -> None:
    """Make moves, each with its seat, without touching the board."""
    for seat, move in moves:
        people[seat - 1].moves(move)


def chooses(person: Person, game: str, move: str) -> None:
    """Choose a move by touching the board, without sending it."""
    person.is_asked()
    touches(person, game, move)


def touches(person: Person, game: str, move: str) -> None:
    """Choose a move on the board, whoever is asked."""
    TOUCHES[game](person, move)


def plays(person: Person, game: str, move: str) -> None:
    """Make a move: choose it on the board, then press the button."""
    chooses(person, game, move)
    person.sends()


def _dials(person: Person, move: str) -> None:
    if "-" in move:
        wanted = dict(enumerate(map(int, move.split("-")), 1))
    else:
        place, digit = map(int, move.split())
        wanted = {place: digit}
    for place, digit in wanted.items():
        _turns(person, f"Dial {place}", digit)


def _wheels(person: Person, move: str) -> None:
    for place, digit in enumerate(map(int, move.split("-")), 1):
        _turns(person, f"Digit {place}", digit)


def _turns(person: Person, name: str, digit: int) -> None:
    """Press the small arrows until a dial or a wheel is right, at least once to choose it."""
    spin = person.board.get_by_role("spinbutton", name=name)
    start = int(spin.get_attribute("aria-valuenow") or 0)
    ways = ["up"] * (digit - start) or ["down"] * (start - digit)
    for way in ways:
        person.board.get_by_role("button", name=f"{name} {way}").click()
    if not ways:
        spin.focus()
        spin.press(str(digit))
    expect(spin).to_have_attribute("aria-valuenow", str(digit))


def _cells(person: Person, move: str) -> None:
    label = f'[aria-label="{move}"], [aria-label^="{move},"]'
    person.board.get_by_role("grid").locator(f"button:is({label})").click()


def _numbers(person: Person, move: str) -> None:
    if move == "clue":
        person.board.get_by_role("button", name="Request a clue").click()
    elif move.isdigit():
        _cells(person, move)
    else:
        person.board.get_by_label("Or in your own words").fill(move)
        person.presses("Check it")
        expect(person.large).to_contain_text("Taken as: ")


def _quantum(person: Person, move: str) -> None:
    if move.isdigit():
        _cells(person, f"Cell {move}")
    else:
        reply = "Challenge" if move == "yes" else "Let it stand"
        person.board.get_by_role("button", name=reply, exact=True).click()


TOUCHES: dict[str, Callable[[Person, str], None]] = {
    "safecracker-duel": _dials,
    "safe-cracker": _wheels,
    "safe-code": _numbers,
    "digit-deductions": _cells,
    "quantum-duel": _quantum,
}
