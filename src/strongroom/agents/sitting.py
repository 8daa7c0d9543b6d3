"""One seat of a game against one of our players, for whoever is asked from outside.

The doors to frameworks with a single agent stand on this; the same seed and moves give the same
game in all of them.
"""

from __future__ import annotations

from typing import Final, Literal

from strongroom.contract import (
    CHANCE,
    AnyState,
    Ending,
    Game,
    Move,
    NotLegal,
    Outcome,
    Refusal,
    Seat,
    View,
)
from strongroom.players import CERTIFIED, Player, Resigns, player, tell_end
from strongroom.plugins.foreign import FAILURES, told
from strongroom.referee.bout import TURN_LIMIT, UNDECIDED, moves_to
from strongroom.referee.match import Match
from strongroom.referee.randomness import Seed, draws, fresh_token, nonces, stream
from strongroom.referee.record import LONGEST_DETAIL, SITTERS, Record
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
        self.game, self.seat = game, seat
        self.seed: Seed = fresh_token() if seed is None else seed
        """What chance, nonces and the opponent are drawn from, so that the record tells this game.

        Without a seed, one that nobody can guess.
        """
        self.opponent = (
            player(opponent, game, stream(self.seed, "opponent"))
            if isinstance(opponent, str)
            else opponent
        )
        self.certified = opponent == CERTIFIED
        """Whether every move has an exact cost."""
        self.forfeited: Outcome | None = None
        """How the game ended if it was not by its rules."""
        self.decided: list[tuple[View, Move | None]] = []
        """What this seat knew and did at each of its decisions; None for giving up."""
        self.turn_limit = turn_limit
        """After how many turns of both players the game is undecided; None for no limit."""
        self._costs: list[float] = []
        self._draw = draws(self.seed)
        self._state: AnyState = game.start()
        self._go_on()

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended; None while it goes on."""
        return self.view.outcome

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return self.view.outcome is not None

    @property
    def result(self) -> float:
        """1 for a win, -1 for a loss, 0 if nobody won or has won yet."""
        return (self.outcome or UNDECIDED).reward(self.seat)

    def play(self, move: Move) -> None:
        """Make a move, and let chance and the opponent go on; a refusal changes nothing."""
        before = self.view
        if before.outcome is not None:
            raise NotLegal("The game is over.")
        self._state = self._state.play(move)
        self.decided.append((before, move))
        self._go_on()

    def give_up(self, why: str) -> None:
        """Lose the game outside its rules, as by an action that is not legal."""
        if not self.over:
            self.decided.append((self.view, None))
            self.forfeited = forfeit(self.seat.other, why)
            self._stand(self._state, self.forfeited)

    def leave(self) -> None:
        """Leave the game unfinished: nobody wins it, and nothing can be played any more."""
        if not self.over:
            self._stand(self._state, UNDECIDED)

    def _go_on(self) -> None:
        """Let chance and the opponent move until it is this seat's turn or the game is over."""
        state, seat, limit = self._state, self.seat, self.turn_limit
        ended: Outcome | None = None
        while (actor := state.actor) is not None:
            if limit is not None and state.turns >= limit:
                ended = UNDECIDED
                break
            if actor is seat:
                break
            if actor is CHANCE:
                state = state.play(self._draw(state.number + 1, state.moves, state.odds))
                continue
            try:
                state = state.play(self.opponent.choose(state.view(actor)))
            except Resigns:
                ended = self.forfeited = Outcome(seat, Ending.RESIGNED)
                break
            except FAILURES as failure:
                ended = self.forfeited = forfeit(seat, told(failure))
                break
        self._stand(state, ended)

    def _stand(self, state: AnyState, ended: Outcome | None) -> None:
        """Take up the state in which the seat is asked, or the game is over."""
        self._state = state
        self.view: View = state.view(self.seat, ended)
        """What this seat knows now."""
        if self.view.outcome is not None:
            tell_end(self.opponent, state.view(self.seat.other, self.view.outcome))

    # --- what it was worth ---

    @property
    def costs(self) -> list[float]:
        """What each decision so far cost in win probability, exactly; only against master."""
        if not self.certified:
            raise no_exact_costs()
        from strongroom.theory.shelf import solution_of  # those who ask for no costs do without

        worth = solution_of(self.game).worth
        for view, move in self.decided[len(self._costs) :]:
            value, moves = worth.weighed(view, self.turn_limit)
            self._costs.append(value - (0.0 if move is None else moves[move]))
        return [*self._costs]

    def cost(self, number: int = -1) -> float:
        """What one decision cost in win probability; by default the latest."""
        return self.costs[number]

    @property
    def record(self) -> Record:
        """What was played so far, as any other game's record."""
        moves, nonce = [*moves_to(self._state)], nonces(self.seed)
        match, _ = Match.start(self.game, SITTERS, self.turn_limit, self._draw, nonce).settle()
        while (number := len(match.record.steps)) < len(moves):
            assert isinstance(match.actor, Seat)
            match, _ = match.step(match.actor, moves[number])
        ended = self.forfeited
        if ended is None or ended.winner is None:
            return match.record
        if ended.reason is Ending.RESIGNED:
            return match.resign(ended.winner.other).record
        return match.forfeit(ended.winner.other, ended.detail).record


def forfeit(winner: Seat, why: str) -> Outcome:
    """The outcome of a game that was lost outside its rules, as a record has it."""
    return Outcome(winner, Ending.FORFEITED, printable(why[:LONGEST_DETAIL]))


def no_exact_costs() -> Refusal:
    """What is told to those who ask for costs against another player than the certified one."""
    told = "Only against master does every move have an exact cost."
    return Refusal(told, "Choose the opponent master, or the reward result.")
