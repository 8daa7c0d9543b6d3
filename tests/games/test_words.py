"""What the games say: the kinds of decision, and each move as the others hear and record it."""

from __future__ import annotations

from dataclasses import replace

from strongroom.contract import NAMES, YOU, Names, Seat
from strongroom.games.safecracker_duel.rules import SafecrackerDuelReason
from strongroom.plugins.registry import GAMES, load
from strongroom.testing.perft import after

FIRST: Names = {Seat.ONE: YOU, Seat.TWO: "Master"}
SECOND: Names = {Seat.ONE: "Master", Seat.TWO: YOU}
SEVEN = ("7", "The number is a prime.", "It is less than 10.", "The number is odd.")
CLUES = ("18", "The number is even.", "It is divisible by 3.", "It is less than 20.", *SEVEN)
READY = ("2-2-2", "5-5-5")
HIDDEN = ("1-1-1", "1-2-3")
EARLY = (*HIDDEN, "3-1-2", "2-2-2")  # leaves either player eight codes
WEAK = tuple(f"It is greater than {number}." for number in (1, 2, 3))
TELLING = ("The number is even.", "It is greater than 10.", "It is less than 20.")
WRITTEN = ("16", *WEAK, "16", *TELLING)
CHAINS = ("1", "7", "2", "no", "5", "3", "no", "6", "no", "4")
DECISIONS: tuple[tuple[str, tuple[str, ...], str], ...] = (
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
)


def test_a_decision_is_about_what_is_left_to_do() -> None:
    for name, moves, kind in DECISIONS:
        state = after(name, *moves)
        assert isinstance(state.actor, Seat)
        assert state.game.words.deciding(state.view(state.actor)) == kind, moves
    for name in GAMES:
        listed = load(name).words.kinds
        met = {kind for game, _, kind in DECISIONS if game == name}
        assert met <= {*listed}
        assert len({*listed}) == len(listed)


THIRD = {"guess": "guesses", "do": "does"}
TOLD = [
    ("safecracker-duel", ("3-4-2", "5-5-5", "2 4"), " dial 2 to 4. The safe shows 1-4-1.", "set"),
    ("safe-cracker", ("2-1-3", "3-3-1", "3-2-2"), " 3-2-2. Feedback: 1 exact match.", "guess"),
    ("digit-deductions", ("4-7", "5-5", "5-4"), " 5-4. Feedback: 1.", "guess"),
    ("safe-code", (*CLUES, "clue"), ' for a clue: "The number is a prime."', "ask"),
    ("safe-code", (*CLUES, "8"), " 8. Incorrect.", "guess"),
    ("quantum-duel", ("3",), " cell 3.", "observe"),
    ("quantum-duel", ("3", "7", "5", "1", "4"), " cell 4, adjacent to cells 3 and 5.", "observe"),
    ("quantum-duel", ("3", "7", "4", "yes"), " cell 4. The coin is in the air.", "challenge"),
    ("quantum-duel", ("3", "7", "4", "no"), " not challenge. Cell 4 stands.", "do"),
    ("quantum-duel", ("3", "7", "4", "yes", "heads"), "Heads. Cell 4 is {}.", ""),
    ("quantum-duel", ("3", "7", "4", "yes", "tails"), "Tails. Cell 4 is open again.", ""),
]


def test_a_move_is_described_to_others_in_the_third_person() -> None:
    for game, moves, told, verb in TOLD:
        words, view = load(game).words, after(game, *moves).view(None)
        you, master = (f"You {verb}", f"Master {THIRD.get(verb, f'{verb}s')}") if verb else ("", "")
        first, second = (master, you) if verb in ("challenge", "do") else (you, master)
        assert words.say(view, FIRST, here=()) == first + told.format("yours")
        assert words.say(view, SECOND, here=()) == second + told.format("Master's")


def test_a_loser_reads_whose_code_was_turned_up() -> None:
    words, view = load("safecracker-duel").words, after("safecracker-duel", "3-4-2", "1-1-5", "3 5")
    outcome = view.view(None).outcome
    assert outcome is not None
    for names, told in (
        (FIRST, "You turned up Master's code."),
        (SECOND, "Master turned up your code."),
        (NAMES, "Player 2 won, because the opponent set the safe to the winning code."),
    ):
        assert words.ending(outcome, names) == told
    opened = replace(outcome, reason=SafecrackerDuelReason.MATCHED)
    assert words.ending(opened, FIRST) == "Master opened the safe."
    assert words.ending(opened, SECOND) == "You opened the safe with your code."


def test_the_record_says_what_a_clue_is_about() -> None:
    for clue, row in (
        ("Its digit sum is 9.", "digit sum is 9"),
        ("Its last digit is not 3.", "last digit is not 3"),
        ("Its number of divisors is 6.", "number of divisors is 6"),
        ("The number is composite.", "composite"),
        ("The number has two digits.", "has two digits"),
        ("It is between 10 and 20, inclusive.", "between 10 and 20, inclusive"),
    ):
        eighteen = ("18", clue, "It is less than 29.", "It is greater than 2.")
        state = after("safe-code", *SEVEN, *eighteen, "clue")
        (turn,) = state.game.words.turns(state.view(None).history)
        assert (turn.seat, turn.text) == (Seat.ONE, f"clue: {row}")
