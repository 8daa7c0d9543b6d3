"""How each move is described to the others, by name or as "you", and its row in the record."""

from __future__ import annotations

import pytest

from strongroom.contract import YOU, Names, Seat
from strongroom.testing.perft import after

FIRST: Names = {Seat.ONE: YOU, Seat.TWO: "Master"}
SECOND: Names = {Seat.ONE: "Master", Seat.TWO: YOU}

SAFES = ("3-4-2", "5-5-5")
CODES = ("2-1-3", "3-3-1")
NUMBERS = ("4-7", "5-5")
CLUES = (
    *("18", "The number is even.", "It is divisible by 3.", "It is less than 20."),
    *("7", "The number is a prime.", "It is less than 10.", "The number is odd."),
)


@pytest.mark.parametrize(
    ("game", "moves", "yours", "masters"),
    [
        (
            "safecracker-duel",
            (*SAFES, "2 4"),
            "You set dial 2 to 4. The safe shows 1-4-1.",
            "Master sets dial 2 to 4. The safe shows 1-4-1.",
        ),
        (
            "safe-cracker",
            (*CODES, "3-2-2"),
            "You guess 3-2-2. Feedback: 1 exact match.",
            "Master guesses 3-2-2. Feedback: 1 exact match.",
        ),
        (
            "digit-deductions",
            (*NUMBERS, "5-4"),
            "You guess 5-4. Feedback: 1.",
            "Master guesses 5-4. Feedback: 1.",
        ),
        (
            "safe-code",
            (*CLUES, "clue"),
            'You ask for a clue: "The number is a prime."',
            'Master asks for a clue: "The number is a prime."',
        ),
        (
            "safe-code",
            (*CLUES, "8"),
            "You guess 8. Incorrect.",
            "Master guesses 8. Incorrect.",
        ),
        ("quantum-duel", ("3",), "You observe cell 3.", "Master observes cell 3."),
        (
            "quantum-duel",
            ("3", "7", "5", "1", "4"),
            "You observe cell 4, adjacent to cells 3 and 5.",
            "Master observes cell 4, adjacent to cells 3 and 5.",
        ),
        (
            "quantum-duel",
            ("3", "7", "4", "yes"),
            "Master challenges. The coin is in the air.",
            "You challenge. The coin is in the air.",
        ),
        (
            "quantum-duel",
            ("3", "7", "4", "no"),
            "Master does not challenge. Cell 4 is yours.",
            "You do not challenge. Cell 4 is Master's.",
        ),
        (
            "quantum-duel",
            ("3", "7", "4", "yes", "heads"),
            "Heads: cell 4 is yours.",
            "Heads: cell 4 is Master's.",
        ),
        (
            "quantum-duel",
            ("3", "7", "4", "yes", "tails"),
            "Tails: cell 4 is unobserved again.",
            "Tails: cell 4 is unobserved again.",
        ),
    ],
)
def test_a_move_is_described_to_others_in_the_third_person(
    game: str, moves: tuple[str, ...], yours: str, masters: str
) -> None:
    state = after(game, *moves)
    words, view = state.game.words, state.view(None)
    assert words.say(view, FIRST, here=()) == yours
    assert words.say(view, SECOND, here=()) == masters


@pytest.mark.parametrize(
    ("clue", "row"),
    [
        ("Its digit sum is 9.", "clue: digit sum is 9"),
        ("Its last digit is not 3.", "clue: last digit is not 3"),
        ("Its number of divisors is 6.", "clue: number of divisors is 6"),
        ("The number is composite.", "clue: composite"),
        ("The number has two digits.", "clue: has two digits"),
        ("It is between 10 and 20, inclusive.", "clue: between 10 and 20, inclusive"),
    ],
)
def test_the_record_says_what_a_clue_is_about(clue: str, row: str) -> None:
    eighteen = ("18", clue, "It is less than 29.", "It is greater than 2.")
    state = after("safe-code", *CLUES[4:], *eighteen, "clue")
    (turn,) = state.game.words.turns(state.view(None).history)
    assert (turn.seat, turn.text) == (Seat.ONE, row)
