"""What is asked, announced and understood in Digit Deductions."""

from __future__ import annotations

from collections.abc import Sequence

from strongroom.contract import (
    NAMES,
    Cells,
    Control,
    Disguise,
    Drawing,
    Event,
    Left,
    Look,
    Names,
    Outcome,
    Seat,
    Tile,
    View,
    does,
)
from strongroom.games.codes import Code
from strongroom.games.digit_deductions.rules import NUMBERS, DigitDeductions
from strongroom.games.guessing_words import GuessingWords


class DigitDeductionsWords(GuessingWords[DigitDeductions]):
    """The rule book's words."""

    title = "Digit Deductions"
    goal = "Guess your opponent's two digits first; each answer says how far off you are."
    secret_name = "number"
    guess_prompt = "Input Guess: "

    first_lesson = (
        "Guess 1-1, a corner. You are told how many steps {theirs} is off, down and across: from "
        "a corner, that leaves a single diagonal."
    )
    second_lesson = "Guess a number that is as far from your last guess as you were told."

    def announce(self, view: View, names: Names = NAMES) -> str:
        """The feedback to the last guess, and who wins if it was right."""
        feedback = super().announce(view, names)
        outcome = view.outcome
        if outcome is None or not outcome.winner or outcome.reason not in self.game.reasons:
            return feedback
        return f"{feedback}\n{does(names[outcome.winner], 'Wins', 'Win')}"

    def written(self, events: Sequence[Event]) -> str:
        """A guess and its sum."""
        (event,) = events
        return f"{event.move}, sum {event.answer}"

    def drawing(
        self, view: View, seat: Seat, names: Names = NAMES, left: Left | None = None
    ) -> Drawing:
        """The grid of 81 numbers: the first digit down, the second across."""
        guessed = self.own_guess(view, seat)
        won = view.outcome is not None and view.outcome.winner is seat

        def look(number: Code) -> Look:
            if number.digits == guessed:
                return Look.LIT if won else Look.TOUCHED
            ruled_out = left is not None and number.digits not in left
            return Look.FAINT if ruled_out else Look.PLAIN

        tiles = [Tile("".join(map(str, each.digits)), look=look(each)) for each in NUMBERS.codes]
        across = NUMBERS.highest
        rows = tuple(tuple(tiles[at : at + across]) for at in range(0, len(tiles), across))
        return Drawing(rows)

    def control(self, view: View) -> Control:
        """The grid of 81 numbers, which is walked from the player's last guess, or its middle."""
        first, second = (view.seat and self.own_guess(view, view.seat)) or (5, 5)
        digits = range(1, NUMBERS.highest + 1)
        rows = [[f"{down}-{across}" for across in digits] for down in digits]
        return Cells(rows, start=(first - 1, second - 1))

    def puzzle(self, view: View) -> str:
        """Which number to guess."""
        return "Try to hit, or measure first?"

    def win_text(self, outcome: Outcome) -> str:
        """There is one way to win."""
        return "guessed the secret number"


class DeductionsDisguise(Disguise[DigitDeductions]):
    """Points, shades and soundings, for numbers, digits and guesses: distances stay numbers."""

    terms = """
        digit_deductions: field_soundings | point_surveying | chart_encounters
        number numbers: marker markers | corner corners | signal signals
        digit digits: shade shades | value values | grade grades
        secret: covert | veiled | private
        guess guesses guessed guessing: probe probes probed probing
        guess guesses guessed guessing: query queries queried querying
        guess guesses guessed guessing: claim claims claimed claiming
    """
