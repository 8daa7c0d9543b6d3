"""What is said at the table of Safe Cracker."""

from __future__ import annotations

from strongroom.contract import (
    NAMES,
    Drawing,
    Event,
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
from strongroom.games.guessing import possible_digits
from strongroom.games.safe_cracker.rules import Cracked, SafeCracker

WON = {
    Cracked.CRACKED: "cracked the code",
    Cracked.MOST_MATCHES: "had the most exact matches in one guess",
    # Also where nobody had any match: both reached 0, so nothing is said of reaching the most.
    Cracked.REACHED_FIRST: (
        "won: both best guesses had equally many exact matches, and the winner's came first"
    ),
}


class SafeCrackerWords(Words[SafeCracker]):
    """The rule book's words."""

    title = "Safe Cracker"
    goal = "Guess the other's code first; each guess is told how many digits are in place."
    secret_name = "code"

    def question(self, view: View, names: Names = NAMES) -> Question:
        """The question for a secret code, or for a guess."""
        name = names[view.actor] if isinstance(view.actor, Seat) else ""
        space = self.game.space
        if view.setting_up:
            asked = f"choose your secret code ({space.form}): "
            return Question(spoken_to(name, asked), space.accepts)
        prompt = f"Enter your guess ({space.form}): "
        return Question(prompt, space.accepts, heading=f"{turn_of(name)}:")

    def understand(self, text: str, view: View) -> Move:
        """A code, typed in any of its forms."""
        return self.game.space.parse(text)

    def welcome(self, view: View) -> str:
        """The book's welcome."""
        return f"Welcome to {self.title}!"

    def announce(self, view: View, names: Names = NAMES) -> str:
        """The feedback to the last guess."""
        return f"Feedback: {matches_text(view.history[-1])}"

    def narrate(self, view: View, names: Names = NAMES) -> str:
        """Who guessed what, and the feedback."""
        guess = view.history[-1]
        assert isinstance(guess.actor, Seat)
        guesses = does(names[guess.actor], "guesses", "guess")
        return f"{guesses} {guess.move}. Feedback: {matches_text(guess)}."

    def drawing(
        self, view: View, seat: Seat, names: Names = NAMES, left: Left | None = None
    ) -> Drawing:
        """A column a place with the digits that can stand there; the last guess stands out."""
        guesses = (e.move for e in reversed(view.history) if e.actor is seat)
        last = next(guesses, None)
        guessed = last.digits if isinstance(last, Code) else ()
        won = view.outcome is not None and view.outcome.winner is seat
        space = self.game.space
        possible = None if left is None else possible_digits(left)

        def look(place: int, digit: int) -> Look:
            if guessed and guessed[place] == digit:
                return Look.LIT if won else Look.TOUCHED
            return Look.FAINT if possible and digit not in possible[place] else Look.PLAIN

        rows = tuple(
            tuple(Tile(str(digit), look=look(place, digit)) for place in range(space.length))
            for digit in range(1, space.highest + 1)
        )
        return Drawing(rows)

    def count(self, seat: Seat, names: Names, left: Left) -> str:
        """How many of the codes are left."""
        return what_is_left(names[seat], left, len(self.game.space.codes))

    def note(self, event: Event) -> str:
        """A guess with its feedback."""
        return f"{event.move}: {event.answer} exact"

    def won(self, outcome: Outcome) -> str:
        """Whether the code was cracked, or the attempts ran out."""
        return WON[Cracked(outcome.reason)]


def matches_text(guess: Event) -> str:
    """The feedback to a guess as it is announced."""
    return "1 exact match" if guess.answer == 1 else f"{guess.answer} exact matches"
