"""What is asked, announced and understood in every game of guesses."""

from __future__ import annotations

from abc import abstractmethod
from typing import ClassVar

from strongroom.contract import (
    NAMES,
    Control,
    Event,
    Left,
    Move,
    Names,
    Question,
    Seat,
    View,
    Words,
    does,
    own_moves,
    possessive,
    spoken_to,
    turn_of,
    what_is_left,
)
from strongroom.games.codes import Code
from strongroom.games.guessing import GG

ASKING = "asking for information"
DEDUCING = "deducing"
RACING = "racing"
LAST_CHANCE = "taking the last chance"
FINISHING = "finishing"
FEW = 8
"""With at most this many codes left, a guess is a deduction."""
CLOSE = 4
"""With at most this many codes left, the opponent may win with the next guess."""


class GuessingWords(Words[GG]):
    """The words that the games of guesses share."""

    answers_turns = True
    guess_prompt: ClassVar[str]
    """The prompt for a guess; `{form}` stands for what a code is."""

    def question(self, view: View, names: Names = NAMES) -> Question:
        """The question for a secret code, or for a guess."""
        name = names[view.actor] if isinstance(view.actor, Seat) else ""
        space = self.game.space
        if view.setting_up:
            asked = f"choose your secret {space.noun} ({space.form}): "
            return Question(spoken_to(name, asked), space.accepts, control=self.control(view))
        prompt, heading = self.guess_prompt.format(form=space.form), f"{turn_of(name)}:"
        return Question(prompt, space.accepts, heading, control=self.control(view))

    def asked_at_once(self, view: View, names: Names = NAMES) -> str:
        """Which code is hidden or guessed."""
        does_what = "hide" if view.setting_up else "guess"
        return f"Which {self.game.space.noun} do you {does_what}? {self.game.space.accepts}"

    @abstractmethod
    def control(self, view: View) -> Control:
        """How a code is chosen on the board."""

    def own_guess(self, view: View, seat: Seat) -> tuple[int, ...]:
        """The digits that a player guessed last; empty before that."""
        guesses = (event.move for event in reversed(view.history) if event.actor is seat)
        last = next(guesses, None)
        return last.digits if isinstance(last, Code) else ()

    @property
    def kinds(self) -> tuple[str, ...]:
        """Hiding a code, then what a guess can be about."""
        return (self.hiding, ASKING, DEDUCING, RACING, LAST_CHANCE, FINISHING)

    def deciding(self, view: View) -> str:
        """What the codes left to both players ask for; both can count both."""
        if view.setting_up:
            return self.hiding
        assert isinstance(view.actor, Seat)
        own = len(self.game.candidates(view.actor).after_all(view.history))
        if own == 1:
            return FINISHING
        other = len(self.game.candidates(view.actor.other).after_all(view.history))
        if other <= CLOSE:
            return LAST_CHANCE if other == 1 else RACING
        return DEDUCING if own <= FEW else ASKING

    first_lesson: ClassVar[str]
    """What to do with a first guess at `{theirs}`, and why."""
    second_lesson: ClassVar[str]
    """What to do with the second one."""

    def lesson(self, view: View, names: Names = NAMES) -> str:
        """How to hide a code, how to guess, and what to do with an answer."""
        assert isinstance(view.actor, Seat)
        other, noun = names[view.actor.other], self.game.space.noun
        if view.setting_up:
            looks = does(other, "looks", "look")
            return f"Choose a {noun} of your own. {looks} for it, while you look for theirs."
        lessons = (self.first_lesson, self.second_lesson)
        told = "".join(lessons[len(own_moves(view)) :][:1])
        return told.format(theirs=f"{possessive(other)} {noun}")

    def preview(self, view: View, move: Move, names: Names = NAMES) -> str:
        """The code that would be hidden or guessed."""
        return f"{'Hide' if view.setting_up else 'Guess'} {move}."

    def understand(self, text: str, view: View) -> Move:
        """A code, typed in any of its forms."""
        return self.game.space.parse(text)

    def feedback(self, guess: Event) -> str:
        """The feedback to a guess as it is announced."""
        return str(guess.answer)

    def announce(self, view: View, names: Names = NAMES) -> str:
        """The feedback to the last guess."""
        return f"Feedback: {self.feedback(view.history[-1])}"

    def narrate(self, view: View, names: Names = NAMES) -> str:
        """Who guessed what, and the feedback."""
        guess = view.history[-1]
        assert isinstance(guess.actor, Seat)
        guesses = does(names[guess.actor], "guesses", "guess")
        return f"{guesses} {guess.move}. Feedback: {self.feedback(guess)}."

    def count(self, seat: Seat, names: Names, left: Left) -> str:
        """How many of the codes are left."""
        return what_is_left(names[seat], left, len(self.game.space.codes))
