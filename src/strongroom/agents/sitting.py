"""One seat of a game against one of our players, for whoever is asked from outside.

The doors to frameworks with a single agent stand on this; the same seed and moves give the same
game in all of them.
"""

from __future__ import annotations

from typing import Final, Literal

from strongroom.contract import CHANCE, Ending, Game, Move, NotLegal, Outcome, Refusal, Seat, View
from strongroom.players import CERTIFIED, Player, player
from strongroom.plugins.foreign import FAILURES, told
from strongroom.referee.bout import TURN_LIMIT, Bout, moves_to
from strongroom.referee.match import Match
from strongroom.referee.randomness import Seed, draws, nonces, stream
from strongroom.referee.record import Record
from strongroom.referee.sitter import SITTERS
from strongroom.text.quoting import printable

Reward = Literal["result", "cost"]
REWARDS: Final[tuple[Reward, ...]] = ("result", "cost")
"""What a move is rewarded with: the result of the game at its end, or minus what the move cost."""


class Sitting:
    """A seat at a game that is being played; it is always this seat's turn, or the game is over.

    >>> from strongroom import load
    >>> sitting = Sitting(load("quantum-duel"), "master", seed=1)
    >>> sitting.play(sitting.game.move("4"))
    >>> sitting.over, sitting.costs
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
        self.game, self.seat, self.seed = game, seat, seed
        self.opponent = (
            player(opponent, game, stream(seed, "opponent"))
            if isinstance(opponent, str)
            else opponent
        )
        self.certified = opponent == CERTIFIED
        """Whether every move has an exact cost."""
        self.forfeited: Outcome | None = None
        """How the game ended if it was not by its rules."""
        self.decided: list[tuple[View, Move | None]] = []
        """What this seat knew and did at each of its decisions; None for giving up."""
        self._draw = draws(seed)
        self._bout = Bout.start(game, turn_limit)
        self._go_on()

    @property
    def view(self) -> View:
        """What this seat knows now."""
        return self._bout.state.view(self.seat, self.outcome)

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended; None while it goes on."""
        return self.forfeited or self._bout.outcome

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return self.outcome is not None

    @property
    def result(self) -> float:
        """1 for a win, -1 for a loss, 0 if nobody won or has won yet."""
        winner = self.outcome and self.outcome.winner
        return 0.0 if winner is None else 1.0 if winner is self.seat else -1.0

    def play(self, move: Move) -> None:
        """Make a move, and let chance and the opponent go on; a refusal changes nothing."""
        if self.over:
            raise NotLegal("The game is over.")
        before = self.view
        self._bout = self._bout.play(move)
        self.decided.append((before, move))
        self._go_on()

    def give_up(self, why: str) -> None:
        """Lose the game outside its rules, as by an action that is not legal."""
        if not self.over:
            self.decided.append((self.view, None))
            self.forfeited = Outcome(self.seat.other, Ending.FORFEITED, why)

    def _go_on(self) -> None:
        bout, other = self._bout, self.seat.other
        while (actor := bout.actor) is not None and actor is not self.seat:
            if actor is CHANCE:
                bout = bout.settled(self._draw)
                continue
            try:
                bout = bout.play(self.opponent.choose(bout.view(other)))
            except FAILURES as failure:
                self.forfeited = Outcome(self.seat, Ending.FORFEITED, printable(told(failure)))
                break
        self._bout = bout

    # --- what it was worth ---

    @property
    def costs(self) -> list[float]:
        """What each decision so far cost in win probability, exactly; only against master."""
        return [self.cost(number) for number in range(len(self.decided))]

    def cost(self, number: int = -1) -> float:
        """What one decision cost in win probability; by default the latest."""
        if not self.certified:
            raise no_exact_costs()
        from strongroom.theory.shelf import solution_of  # those who ask for no costs do without

        view, move = self.decided[number]
        value, moves = solution_of(self.game).worth.weighed(view, self._bout.turn_limit)
        return value - (0.0 if move is None else moves[move])

    @property
    def record(self) -> Record:
        """What was played so far, as any other game's record."""
        limit, moves = self._bout.turn_limit, [*moves_to(self._bout.state)]
        match, _ = Match.start(self.game, SITTERS, limit, self._draw, nonces(self.seed)).settle()
        while (number := len(match.record.steps)) < len(moves):
            assert isinstance(match.actor, Seat)
            match, _ = match.step(match.actor, moves[number])
        ended = self.forfeited
        if ended is None or ended.winner is None:
            return match.record
        return match.forfeit(ended.winner.other, ended.detail).record


def no_exact_costs() -> Refusal:
    """What is told to those who ask for costs against another player than the certified one."""
    told = "Only against master does every move have an exact cost."
    return Refusal(told, "Choose the opponent master, or the reward result.")
