"""What is asked, announced and understood in Safe Cracker."""

from __future__ import annotations

from collections.abc import Sequence

from strongroom.contract import (
    NAMES,
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
    Wheels,
)
from strongroom.games.codes import WORDS as DIGIT_COUNTS
from strongroom.games.guessing import possible_digits
from strongroom.games.guessing_words import GuessingWords
from strongroom.games.safe_cracker.rules import SafeCracker, SafeCrackerReason

WON = {
    SafeCrackerReason.CRACKED: "cracked the code",
    SafeCrackerReason.MOST_MATCHES: "had the most exact matches in one guess",
    # Also if nobody had a match: both reached 0, so this does not speak of reaching the most.
    SafeCrackerReason.REACHED_FIRST: (
        "won, because both best guesses had equally many exact matches and the winner's came first"
    ),
}


class SafeCrackerWords(GuessingWords[SafeCracker]):
    """The rule book's words."""

    title = "Safe Cracker"
    goal = "Guess your opponent's code first; each answer counts the digits in place."
    secret_name = "code"
    guess_prompt = "Enter your guess ({form}): "

    first_lesson = (
        "Guess {theirs}. You are told how many digits stand in their place, but not which."
    )
    second_lesson = "Change some of the digits, and see what becomes of the number in place."

    @property
    def told_rules(self) -> str:
        """The rules, with the digits and the length that this game has."""
        space = self.game.space
        *others, last = map(str, sorted(space.digits))
        digits = f"{DIGIT_COUNTS[space.length]} digits. A digit is {', '.join(others)} or {last}"
        return super().told_rules.replace("three digits. A digit is 1, 2 or 3", digits)

    def drawing(
        self, view: View, seat: Seat, names: Names = NAMES, left: Left | None = None
    ) -> Drawing:
        """A column of digits per position; ruled-out ones are faint, the last guess stands out."""
        guessed = self.own_guess(view, seat)
        won = view.outcome is not None and view.outcome.winner is seat
        space = self.game.space
        possible = None if left is None else possible_digits(left)

        def look(place: int, digit: int) -> Look:
            if possible and digit not in possible[place]:
                return Look.FAINT
            if guessed and guessed[place] == digit:
                return Look.LIT if won else Look.TOUCHED
            return Look.PLAIN

        rows = tuple(
            tuple(Tile(str(digit), look=look(place, digit)) for place in range(space.length))
            for digit in range(1, space.highest + 1)
        )
        return Drawing(rows)

    def control(self, view: View) -> Control:
        """A wheel per position, which begins at the player's last guess."""
        space = self.game.space
        guessed = self.own_guess(view, view.seat) if view.seat else ()
        start = [digit - 1 for digit in guessed] or [0] * space.length
        return Wheels([str(digit) for digit in range(1, space.highest + 1)], tuple(start))

    def puzzle(self, view: View) -> str:
        """Which code to guess."""
        return "One guess. Which tells you most?"

    def feedback(self, guess: Event) -> str:
        """The number of exact matches."""
        return "1 exact match" if guess.answer == 1 else f"{guess.answer} exact matches"

    def note(self, event: Event) -> str:
        """A guess with its feedback."""
        return f"{event.move}: {event.answer} exact"

    def written(self, events: Sequence[Event]) -> str:
        """A guess and the number of exact matches."""
        (event,) = events
        return f"{event.move}, {self.feedback(event)}"

    def win_text(self, outcome: Outcome) -> str:
        """Whether the code was cracked, or the attempts ran out."""
        return WON[SafeCrackerReason(outcome.reason)]


class CrackerDisguise(Disguise[SafeCracker]):
    """Plans, values and probes, for codes, digits and guesses, which only match or do not."""

    terms = """
        safe_cracker: tone_matcher | hill_spotter | film_watcher
        code codes: plan plans | tune tunes | sign signs
        digit digits: value values | shade shades | pitch pitches
        position positions: location locations | division divisions | junction junctions
        secret: covert | veiled | private
        guess guesses guessed guessing: probe probes probed probing
        guess guesses guessed guessing: query queries queried querying
        guess guesses guessed guessing: claim claims claimed claiming
        crack cracks cracked cracking: trace traces traced tracing
        crack cracks cracked cracking: reach reaches reached reaching
        crack cracks cracked cracking: solve solves solved solving
    """
    lettered = "123"
