"""What the games say: the kinds of decision, and each move as the others hear and record it."""

from __future__ import annotations

from random import Random

import pytest

from strongroom.contract import YOU, Names, Seat
from strongroom.plugins.registry import load, names
from strongroom.testing.perft import after
from strongroom.testing.playouts import playout

FIRST: Names = {Seat.ONE: YOU, Seat.TWO: "Master"}
SECOND: Names = {Seat.ONE: "Master", Seat.TWO: YOU}
SEVEN = ("7", "The number is a prime.", "It is less than 10.", "The number is odd.")
CLUES = ("18", "The number is even.", "It is divisible by 3.", "It is less than 20.", *SEVEN)


# --- kinds of decision ----------------------------------------------------------------------------


@pytest.mark.parametrize("name", names("game"))
def test_every_decision_of_random_games_is_of_a_kind(name: str) -> None:
    game, rng = load(name), Random(1)
    kinds = game.words.kinds
    met = {
        game.words.deciding(state.view(state.actor))
        for _ in range(10)
        for state in playout(game, rng, longest=60).states
        if isinstance(state.actor, Seat)
    }
    assert met <= set(kinds)
    assert len(met) >= min(3, len(kinds))
    assert len(set(kinds)) == len(kinds)


READY = ("2-2-2", "5-5-5")
HIDDEN = ("1-1-1", "1-2-3")
EARLY = (*HIDDEN, "3-1-2", "2-2-2")  # leaves either player eight codes
WEAK = tuple(f"It is greater than {number}." for number in (1, 2, 3))
TELLING = ("The number is even.", "It is greater than 10.", "It is less than 20.")
WRITTEN = ("16", *WEAK, "16", *TELLING)
CHAINS = ("1", "7", "2", "no", "5", "3", "no", "6", "no", "4")


@pytest.mark.parametrize(
    ("name", "moves", "kind"),
    [
        ("digit-deductions", (), "hiding a number"),
        ("safe-cracker", (), "hiding a code"),
        ("safe-cracker", HIDDEN, "asking for information"),
        ("safe-cracker", EARLY, "deducing"),
        ("safe-cracker", (*EARLY, "3-1-2", "3-2-2"), "racing"),
        ("safe-cracker", (*EARLY, "3-1-2", "3-3-3"), "taking the last chance"),
        ("safe-cracker", (*EARLY, "2-3-1", "3-3-3"), "finishing"),
        ("quantum-duel", CHAINS[:0], "opening"),
        ("quantum-duel", CHAINS[:3], "challenging"),
        ("quantum-duel", CHAINS[:4], "blocking early"),
        ("quantum-duel", CHAINS[:5], "building a chain"),
        ("quantum-duel", CHAINS[:7], "blocking late"),
        ("quantum-duel", CHAINS, "saving the game"),
        ("safecracker-duel", READY, "the first turn"),
        ("safecracker-duel", (*READY, "1 4", "2 4"), "approaching"),
        ("safecracker-duel", (*READY, "1 2", "2 4"), "closing in"),
        ("safecracker-duel", (*READY, "1 2", "2 2"), "finishing"),
        ("safe-code", (), "hiding a number"),
        ("safe-code", ("16",), "writing a clue"),
        ("safe-code", WRITTEN, "asking for a clue"),
        ("safe-code", (*WRITTEN, "30", "clue"), "asking for a clue"),
        ("safe-code", (*WRITTEN, "30", *("clue", "30") * 2), "asking for another"),
        ("safe-code", (*WRITTEN, "30", *("clue", "30") * 3), "guessing"),
        ("safe-code", (*WRITTEN, *("clue", "30") * 3), "racing"),
    ],
)
def test_a_decision_is_about_what_is_left_to_do(
    name: str, moves: tuple[str, ...], kind: str
) -> None:
    state = after(name, *moves)
    assert isinstance(state.actor, Seat)
    assert state.game.words.deciding(state.view(state.actor)) == kind


# --- moves in the third person --------------------------------------------------------------------


THIRD = {"guess": "guesses", "do": "does"}
TOLD = [
    ("safecracker-duel", ("3-4-2", "5-5-5", "2 4"), " dial 2 to 4. The safe shows 1-4-1.", "set"),
    ("safe-cracker", ("2-1-3", "3-3-1", "3-2-2"), " 3-2-2. Feedback: 1 exact match.", "guess"),
    ("digit-deductions", ("4-7", "5-5", "5-4"), " 5-4. Feedback: 1.", "guess"),
    ("safe-code", (*CLUES, "clue"), ' for a clue: "The number is a prime."', "ask"),
    ("safe-code", (*CLUES, "8"), " 8. Incorrect.", "guess"),
    ("quantum-duel", ("3",), " cell 3.", "observe"),
    ("quantum-duel", ("3", "7", "5", "1", "4"), " cell 4, adjacent to cells 3 and 5.", "observe"),
    ("quantum-duel", ("3", "7", "4", "yes"), ". The coin is in the air.", "challenge"),
    ("quantum-duel", ("3", "7", "4", "no"), " not challenge. Cell 4 is {}.", "do"),
    ("quantum-duel", ("3", "7", "4", "yes", "heads"), "Heads: cell 4 is {}.", ""),
    ("quantum-duel", ("3", "7", "4", "yes", "tails"), "Tails: cell 4 is unobserved again.", ""),
]


@pytest.mark.parametrize(("game", "moves", "told", "verb"), TOLD)
def test_a_move_is_described_to_others_in_the_third_person(
    game: str, moves: tuple[str, ...], told: str, verb: str
) -> None:
    state = after(game, *moves)
    words, view = state.game.words, state.view(None)
    you, master = (f"You {verb}", f"Master {THIRD.get(verb, f'{verb}s')}") if verb else ("", "")
    replied = verb in ("challenge", "do")
    first, second = (master, you) if replied else (you, master)
    assert words.say(view, FIRST, here=()) == first + told.format("yours")
    assert words.say(view, SECOND, here=()) == second + told.format("Master's")


@pytest.mark.parametrize(
    ("clue", "row"),
    [
        ("Its digit sum is 9.", "digit sum is 9"),
        ("Its last digit is not 3.", "last digit is not 3"),
        ("Its number of divisors is 6.", "number of divisors is 6"),
        ("The number is composite.", "composite"),
        ("The number has two digits.", "has two digits"),
        ("It is between 10 and 20, inclusive.", "between 10 and 20, inclusive"),
    ],
)
def test_the_record_says_what_a_clue_is_about(clue: str, row: str) -> None:
    eighteen = ("18", clue, "It is less than 29.", "It is greater than 2.")
    state = after("safe-code", *SEVEN, *eighteen, "clue")
    (turn,) = state.game.words.turns(state.view(None).history)
    assert (turn.seat, turn.text) == (Seat.ONE, f"clue: {row}")
