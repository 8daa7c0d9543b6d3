"""What is said at the table of Digit Deductions."""

from __future__ import annotations

from strongroom.contract import (
    NAMES,
    Drawing,
    Left,
    Look,
    Move,
    Names,
    Outcome,
    Question,
    Seat,
    Tile,
    View,
    Words,
    does,
    spoken_to,
    turn_of,
    what_is_left,
)
from strongroom.games.codes import Code
from strongroom.games.digit_deductions.rules import NUMBERS, DigitDeductions, Guessed


class DigitDeductionsWords(Words[DigitDeductions]):
    """The rule book's words."""

    title = "Digit Deductions"
    goal = "Guess the other's two digits first; each guess is told how far off it is."
    secret_name = "number"

    def question(self, view: View, names: Names = NAMES) -> Question:
        """The question for a secret number, or for a guess."""
        name = names[view.actor] if isinstance(view.actor, Seat) else ""
        if view.setting_up:
            asked = f"choose your secret number ({NUMBERS.form}): "
            return Question(spoken_to(name, asked), NUMBERS.accepts)
        return Question("Input Guess: ", NUMBERS.accepts, heading=f"{turn_of(name)}:")

    def understand(self, text: str, view: View) -> Move:
        """A two-digit number: `5 7`, `57` and `5-7` are the same."""
        return NUMBERS.parse(text)

    def welcome(self, view: View) -> str:
        """The book's welcome."""
        return f"Welcome to {self.title}!"

    def announce(self, view: View, names: Names = NAMES) -> str:
        """The feedback to the last guess."""
        feedback = f"Feedback: {view.history[-1].answer}"
        outcome = view.outcome
        if outcome is None or outcome.winner is None or outcome.reason is not Guessed.GUESSED:
            return feedback
        return f"{feedback}\n{does(names[outcome.winner], 'Wins', 'Win')}"

    def narrate(self, view: View, names: Names = NAMES) -> str:
        """Who guessed what, and how far off it was."""
        seat, guess, distance = view.history[-1]
        assert isinstance(seat, Seat)
        return f"{does(names[seat], 'guesses', 'guess')} {guess}. Feedback: {distance}."

    def drawing(
        self, view: View, seat: Seat, names: Names = NAMES, left: Left | None = None
    ) -> Drawing:
        """The plane of 81 numbers, first digit down, second across."""
        last = next((e.move for e in reversed(view.history) if e.actor is seat), None)
        won = view.outcome is not None and view.outcome.winner is seat

        def look(number: Code) -> Look:
            if number == last:
                return Look.LIT if won else Look.TOUCHED
            ruled_out = left is not None and number.digits not in left
            return Look.FAINT if ruled_out else Look.PLAIN

        tiles = [Tile("".join(map(str, each.digits)), look=look(each)) for each in NUMBERS.codes]
        across = NUMBERS.highest
        rows = tuple(tuple(tiles[at : at + across]) for at in range(0, len(tiles), across))
        return Drawing(rows)

    def count(self, seat: Seat, names: Names, left: Left) -> str:
        """How many of the 81 numbers are left."""
        return what_is_left(names[seat], left, len(NUMBERS.codes))

    def won(self, outcome: Outcome) -> str:
        """There is one way to win."""
        return "guessed the secret number"
