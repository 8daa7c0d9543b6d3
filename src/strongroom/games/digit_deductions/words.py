"""What is said at the table of Digit Deductions."""

from __future__ import annotations

from strongroom.contract import NAMES, Move, Names, Outcome, Question, Seat, View, Words
from strongroom.games.digit_deductions.rules import NUMBERS, DigitDeductions, Guessed


class DigitDeductionsWords(Words[DigitDeductions]):
    """The rule book's words."""

    title = "Digit Deductions"

    def question(self, view: View, names: Names = NAMES) -> Question:
        """The question for a secret number, or for a guess."""
        name = names[view.actor] if isinstance(view.actor, Seat) else ""
        if view.setting_up:
            prompt = f"{name}, choose your secret number ({NUMBERS.form}): "
            return Question(prompt, NUMBERS.accepts)
        return Question("Input Guess: ", NUMBERS.accepts, heading=f"{name}'s Turn:")

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
        return f"{feedback}\n{names[outcome.winner]} Wins"

    def won(self, outcome: Outcome) -> str:
        """There is one way to win."""
        return "guessed the secret number"
