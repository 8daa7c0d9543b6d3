"""One seat of a game against one of our players, asked from outside, by moves or in text.

The doors to frameworks with a single agent stand on this; the same seed and moves give the same
game in all of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal

from strongroom.contract import (
    Ending,
    Game,
    Move,
    NotLegal,
    Outcome,
    Refusal,
    Seat,
    View,
    names_for,
    quote,
)
from strongroom.minds.dialogue import PLAIN, Dialogue, Style
from strongroom.players import CERTIFIED, Player, player
from strongroom.referee.bout import TURN_LIMIT, UNDECIDED
from strongroom.referee.match import Match
from strongroom.referee.randomness import Seed, draws, fresh_token, nonces, stream
from strongroom.referee.record import SITTERS, Record
from strongroom.referee.table import Table

Reward = Literal["result", "cost"]
REWARDS: Final[tuple[Reward, ...]] = ("result", "cost")
"""What a move is rewarded with: the result of the game at its end, or minus what the move cost."""
BESIDE_THE_RULES: Final = (Ending.FORFEITED, Ending.RESIGNED)
RESULTS = {1.0: "You won.", -1.0: "You lost.", 0.0: "Nobody won."}
"""The end of a game in one sentence, by its result."""


class Sitting:
    """A seat at a game that is being played; it is always this seat's turn, or the game is over.

    >>> from strongroom import load
    >>> sitting = Sitting(load("quantum-duel"), "master", seed=1)
    >>> sitting.play(sitting.game.move("4"))
    >>> sitting.is_over, sitting.costs
    (False, [0.0])
    """

    def __init__(
        self,
        game: Game,
        opponent: str | Player = CERTIFIED,
        seat: Seat = Seat.ONE,
        seed: Seed = None,
        turn_limit: int | None = TURN_LIMIT,
    ) -> None:
        self.game, self.seat = game, seat
        self.certified = opponent == CERTIFIED
        """Whether every move has an exact cost."""
        self.decided: list[tuple[View, Move | None]] = []
        """The view and the move of each decision of this seat; None for giving up."""
        self._costs: list[float] = []
        # Without a seed, one that nobody can guess.
        seed = fresh_token() if seed is None else seed
        if isinstance(opponent, str):
            opponent = player(opponent, game, stream(seed, "opponent"))
        match = Match.start(game, SITTERS, turn_limit, draws(seed), nonces(seed))
        # The same seed and moves give the same record, so its steps have no times.
        self._table = Table(match, {seat.other: opponent}, clock=float)
        self._table.run()
        self.view: View = self._table.view(seat)
        """What this seat knows now."""

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended; None while it goes on."""
        return self.view.outcome

    @property
    def forfeit_outcome(self) -> Outcome | None:
        """How the game ended if it was not by its rules."""
        return self.outcome if self.outcome and self.outcome.reason in BESIDE_THE_RULES else None

    @property
    def is_over(self) -> bool:
        """Whether the game is over."""
        return self.view.outcome is not None

    @property
    def result(self) -> float:
        """1 for a win, -1 for a loss, 0 if nobody won or has won yet."""
        return (self.outcome or UNDECIDED).reward(self.seat)

    @property
    def record(self) -> Record:
        """What was played so far, as any other game's record."""
        return self._table.record

    def play(self, move: Move) -> None:
        """Make a move, and let chance and the opponent go on; a refusal changes nothing."""
        self._table.play(self.seat, move)
        self._decide(move)

    def give_up(self, why: str) -> None:
        """Lose the game outside its rules, for example by an action that is not legal."""
        if not self.is_over:
            self._table.forfeit(self.seat, why)
            self._decide(None)

    def leave(self) -> None:
        """Leave the game unfinished: nobody wins it, and nothing can be played any more."""
        self._table.leave()
        self.view = self._table.view(self.seat)

    def _decide(self, move: Move | None) -> None:
        self.decided.append((self.view, move))
        self.view = self._table.view(self.seat)

    @property
    def costs(self) -> list[float]:
        """What each decision so far cost in win probability, exactly; only against master."""
        if not self.certified:
            raise no_exact_costs()
        from strongroom.accounts.account import decide  # those who ask for no costs do without
        from strongroom.theory.shelf import solution_of

        worth, limit = solution_of(self.game).worth, self.record.turn_limit
        for view, move in self.decided[len(self._costs) :]:
            self._costs.append(decide(worth, view, move, limit).cost)
        return [*self._costs]

    def cost(self, number: int = -1) -> float:
        """What one decision cost in win probability; by default the latest."""
        return self.costs[number]


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
        self.dialogue = Dialogue(game, style, in_json, turn_limit=turn_limit)
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
        """The text for the seat: what it knows and is asked, or why its answer was refused.

        Once the game is over, how it ended.
        """
        if self.is_over:
            return self.closing
        return self._refused or self.dialogue.ask(self.view)

    @property
    def closing(self) -> str:
        """How the finished game ended for this seat."""
        told = RESULTS[self.result]
        if self.forfeit_outcome is not None:
            return f"{told} {self.forfeit_outcome.detail}".strip()
        closing = self.dialogue.words.closing(self.view, names_for(self.view))
        return f"{closing}\n{told}".strip()

    def answer(self, text: str, cut_off: bool = False) -> None:
        """Make the move of an answer; one that is refused can be repeated a few times."""
        if self.is_over:
            raise NotLegal("The game is over.")
        view = self.view
        try:
            move = self.dialogue.read(text, view, cut_off)
        except Refusal as refusal:
            self.illegal += 1
            self._tries += 1
            self._refused = self.dialogue.again(refusal, view)
            if self._tries >= self.dialogue.tries:
                self.give_up(self.dialogue.no_legal_answer)
            return
        self.play(move)

    def play(self, move: Move) -> None:
        """Make a move; the count of refused answers begins again."""
        super().play(move)
        self._refused, self._tries = "", 0


def no_exact_costs() -> Refusal:
    """The refusal of costs against another player than the certified one."""
    told = "Only against master does every move have an exact cost."
    return Refusal(told, "Choose the opponent master, or the reward result.")


def legal_move_in(text: str, view: View, dialogue: Dialogue, cut_off: bool) -> str:
    """The move that an answer in text marks, as text; empty if it marks no legal one."""
    try:
        return str(dialogue.read(text, view, cut_off))
    except Refusal:
        return ""


def check_reward(reward: str, opponent: object) -> None:
    """Refuse to reward moves by costs that are not exact."""
    if reward == "cost" and opponent != CERTIFIED:
        raise no_exact_costs()


def check_choice(name: str, given: object, choices: Sequence[str]) -> None:
    """Refuse a setting that is none of the choices.

    >>> check_choice("reward", "money", ("result", "cost"))
    Traceback (most recent call last):
    ...
    strongroom.contract.refusal.Refusal: There is no reward 'money'. Choose from: result, cost.
    """
    if given not in choices:
        told = f"There is no {name.replace('_', ' ')} {quote(str(given))}."
        raise Refusal(told, f"Choose from: {', '.join(choices)}.")
