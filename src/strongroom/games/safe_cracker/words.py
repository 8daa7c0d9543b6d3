"""What is said at the table of Safe Cracker."""

from __future__ import annotations

from strongroom.contract import NAMES, Event, Move, Names, Outcome, Question, Seat, View, Words
from strongroom.games.safe_cracker.rules import Cracked, SafeCracker

WON = {
    Cracked.CRACKED: "cracked the code",
    Cracked.MOST_MATCHES: "had the most exact matches in one guess",
    Cracked.REACHED_FIRST: "was the first to reach the most exact matches in one guess",
}


class SafeCrackerWords(Words[SafeCracker]):
    """The rule book's words."""

    title = "Safe Cracker"

    def question(self, view: View, names: Names = NAMES) -> Question:
        """The question for a secret code, or for a guess."""
        name = names[view.actor] if isinstance(view.actor, Seat) else ""
        space = self.game.space
        if view.setting_up:
            return Question(f"{name}, choose your secret code ({space.form}): ", space.accepts)
        prompt = f"Enter your guess ({space.form}): "
        return Question(prompt, space.accepts, heading=f"{name}'s Turn:")

    def understand(self, text: str, view: View) -> Move:
        """A code, typed in any of its forms."""
        return self.game.space.parse(text)

    def welcome(self, view: View) -> str:
        """The book's welcome."""
        return f"Welcome to {self.title}!"

    def announce(self, view: View, names: Names = NAMES) -> str:
        """The feedback to the last guess."""
        return f"Feedback: {matches_text(view.history[-1])}"

    def note(self, event: Event) -> str:
        """A guess with its feedback."""
        return f"{event.move}: {matches_text(event)}"

    def won(self, outcome: Outcome) -> str:
        """Whether the code was cracked, or the attempts ran out."""
        return WON[Cracked(outcome.reason)]


def matches_text(guess: Event) -> str:
    """The feedback to a guess as it is announced."""
    return "1 exact match" if guess.answer == 1 else f"{guess.answer} exact matches"
