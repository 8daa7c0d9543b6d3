"""One seat of a game in text: what it is asked, and what its answers lead to."""

from __future__ import annotations

from strongroom.agents.dialogue import NO_LEGAL_ANSWER, PLAIN, TRIES, Dialogue, Style
from strongroom.agents.sitting import Sitting
from strongroom.contract import Game, Move, NotLegal, Refusal, Seat
from strongroom.players import CERTIFIED, Player
from strongroom.referee.bout import TURN_LIMIT
from strongroom.referee.randomness import Seed

RESULTS = {1.0: "You won.", -1.0: "You lost.", 0.0: "Nobody won."}
"""How the end of a game is told in one sentence."""


class TextSitting(Sitting):
    """A seat that is asked in text and answers in text.

    >>> from strongroom import load
    >>> sitting = TextSitting(load("quantum-duel"), "master", seed=1)
    >>> sitting.answer("The middle. <move>9</move>")
    >>> sitting.question.partition(".")[0]
    'Cells run from 1 to 7; you typed 9'
    >>> sitting.answer("<move>4</move>")
    >>> sitting.illegal, len(sitting.decided)
    (1, 1)
    """

    def __init__(
        self,
        game: Game,
        opponent: str | Player = CERTIFIED,
        seat: Seat = Seat.ONE,
        seed: Seed = None,
        style: Style = PLAIN,
        in_json: bool = False,
        turn_limit: int | None = TURN_LIMIT,
    ) -> None:
        super().__init__(game, opponent, seat, seed, turn_limit)
        self.dialogue = Dialogue(game, style, in_json)
        self.illegal = 0
        """How many answers were no legal moves."""
        self._refused = ""
        self._tries = 0

    @property
    def opening(self) -> str:
        """What the seat is told before the first question: the rules, and how to answer."""
        return self.dialogue.opening

    @property
    def question(self) -> str:
        """What the seat is told now: what it knows and is asked, or why its answer was refused.

        Once the game is over, how it ended.
        """
        if self.over:
            return self.closing
        return self._refused or self.dialogue.ask(self.view)

    @property
    def closing(self) -> str:
        """How the finished game ended for this seat."""
        told = RESULTS[self.result]
        if self.forfeited is not None:
            return f"{told} {self.forfeited.detail}".strip()
        if self.dialogue.style.disguise:
            return told
        view = self.view
        return f"{self.game.words.closing(view, self.dialogue.names(view))}\n{told}".strip()

    def answer(self, text: str, cut_off: bool = False) -> None:
        """Make the move of an answer; one that is refused can be repeated a few times."""
        if self.over:
            raise NotLegal("The game is over.")
        view = self.view
        try:
            move = self.dialogue.read(text, view, cut_off)
        except Refusal as refusal:
            self.illegal += 1
            self._tries += 1
            self._refused = self.dialogue.again(refusal, view)
            if self._tries >= TRIES:
                self.give_up(NO_LEGAL_ANSWER)
            return
        self.play(move)

    def play(self, move: Move) -> None:
        """Make a move, however it was told."""
        super().play(move)
        self._refused, self._tries = "", 0
