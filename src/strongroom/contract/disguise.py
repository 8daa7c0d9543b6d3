"""A disguise: a game in words that do not tell which game it is; moves are written as ever."""

from __future__ import annotations

import re
from typing import Any, ClassVar, Final

from strongroom.contract.moves import NAMES, Event, Move, Names, Outcome, Seat
from strongroom.contract.refusal import NotLegal, Refusal, quote
from strongroom.contract.view import View
from strongroom.contract.words import YOU, Question, R, Words

SIDES: Final[Names] = {Seat.ONE: "A", Seat.TWO: "B"}
"""What the players are called where no names are given."""


class Disguise(Words[R]):
    """A game in other words, for players who would know it by its own.

    A game registers its disguise as the set of words `GAME.disguise`.
    """

    question_text: str
    """What is asked in a turn: a question, then how to answer it."""
    hiding_texts: tuple[str, ...] = ()
    """The questions of the set-up, secret by secret; the last one is for all that follow."""
    secret_label: ClassVar[str] = ""
    """What stands before a player's own secret."""
    chance_name: ClassVar[str] = "The coin"

    def __init__(self, game: R) -> None:
        super().__init__(game)
        if not self.suits(game):
            raise Refusal(f"There are no other words for {game!r}.", "Play it undisguised.")
        plain: Any = game
        self._plain: Words[R] = plain.words_type(game)

    @classmethod
    def suits(cls, game: R) -> bool:
        """Whether the disguise tells the rules of a game with its options: by default, the usual.

        A disguise that says what other options change overrides this.
        """
        return game.options == type(game)().options

    def question(self, view: View, names: Names = NAMES) -> Question:
        """The question of the set-up or of a turn, and how to answer it."""
        return self.as_question(
            self.hiding_texts[min(len(view.secret), len(self.hiding_texts) - 1)]
            if view.setting_up
            else self.question_text
        )

    @staticmethod
    def as_question(text: str) -> Question:
        """A question from its text, in which how to answer follows a question mark or a colon."""
        asked, _, accepted = re.sub("[?:] ", r"\g<0>\n", text, count=1).partition("\n")
        return Question(asked, accepted)

    def parse(self, text: str, view: View) -> Move:
        """The legal move that the game's own words read; a refusal does not tell of them."""
        refused: type[Refusal] = NotLegal
        try:
            move = self._plain.parse(text, view)
            if move in view.moves:
                return move
        except Refusal as refusal:
            refused = type(refusal)
        raise refused(f"{quote(text)} cannot be played here.")

    def understand(self, text: str, view: View) -> Move:
        """The same: a typed line has to name the move."""
        return self.parse(text, view)

    def known_lines(self, view: View, opponent: str = "") -> list[str]:
        """The side, its secrets and the record, with every event in a line of its own."""
        assert view.seat is not None
        lines = [f"You are {SIDES[view.seat]}."]
        if view.secret:
            first, *rest = map(str, view.secret)
            lines.append(f"{self.secret_label} {first}.")
            lines += [f"Your statement {number}: {each}" for number, each in enumerate(rest, 1)]
        return [*lines, *self.notes(view, SIDES)]

    def notes(self, view: View, names: Names = NAMES) -> list[str]:
        """What everybody did, as numbered sentences."""
        return [
            f"{number}. {self._tell(event, names)}" for number, event in enumerate(view.history, 1)
        ]

    def announce(self, view: View, names: Names = NAMES) -> str:
        """The latest event, in the third person for everybody."""
        return f"{self._tell(view.history[-1], names)}."

    def _tell(self, event: Event, names: Names) -> str:
        who = names[event.actor] if isinstance(event.actor, Seat) else self.chance_name
        return f"{who}{':' if who == YOU else ''} {self.note(event)}"

    def closing(self, view: View, names: Names = NAMES, here: object = None) -> str:
        """Nothing: the record tells how it ended."""
        return ""

    def win_text(self, outcome: Outcome) -> str:
        """That somebody won; how stands in the rules."""
        return "won"
