"""The best response in Safecracker Duel to a player who eventually only wins or changes back.

The responder picks any code and infers the player's from its turns. Once the player has settled, it
takes a win now and then and otherwise changes back, so the responder faces the same safe again: it
wins at once, or repeats the safest turn, which is worth half of the mass that does not lose.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from strongroom.arena.responses import (
    Opponent,
    Policy,
    Responder,
    ResponseValue,
    Script,
    ShareDone,
    TooComplex,
    silent,
)
from strongroom.contract import Event, Move, Seat, View
from strongroom.contract.history import linked
from strongroom.games.codes import Code
from strongroom.games.safecracker_duel.rules import (
    CODES,
    Change,
    SafecrackerDuel,
    SafecrackerDuelState,
)
from strongroom.players import Player
from strongroom.players.ideas import results, safe_before
from strongroom.theory.safecracker_duel.player import Dial

Floats = NDArray[np.float64]

LATEST: Final = 4
"""A player who has not settled after this many turns is too complex."""
FIRST_TURN: Final = Change(1, 2)
SAMPLED: Final = 60
"""The number of sampled lines of play on which settling is checked."""


class DuelResponse:
    """The best response to a policy, over all codes of both and all lines until it settles."""

    def __init__(self, game: SafecrackerDuel, policy: Policy) -> None:
        self.game, self.policy, self.dial = game, policy, Dial.of(game)
        self.n = len(self.dial.codes)
        self.near = [row.tolist() for row in self.dial.near]
        self._results: dict[tuple[int, Move], int] = {
            (before, turn): after for (before, after), turn in self.dial.change.items()
        }
        """The safe that a turn leaves, by the safe before it and the turn."""
        found = [turn for turn in range(LATEST + 1) if self._settles(turn)]
        self.settled: int | None = found[0] if found else None
        """After how many turns the player only wins or changes back; None if later or never."""

    def value(self, seat: Seat, report: ShareDone) -> float:
        """The most that a responder in this seat wins, endless play counted as half a win."""
        if self.settled is None:
            raise TooComplex("The player never settles down to changing back.")
        state = self.game.start()
        if seat is Seat.ONE:
            state = state.play(state.moves[0])
        hidden = np.zeros(self.n)
        for code, chance in self.policy(state.view(seat.other)).items():
            hidden[self.dial.number(code)] = chance
        home = [self.dial.home]
        if seat is Seat.TWO:
            return float(self._player_moves(home, hidden, report).max())
        worths = []
        for done, safe in enumerate(self.near[self.dial.home]):
            report(done / len(self.near[self.dial.home]))
            worths.append(self._left(home, safe, hidden))
        return float(np.max(worths))

    def _responder_moves(self, path: Sequence[int], mass: Floats) -> Floats:
        """The mass of the player's codes against which the responder wins, by its own code."""
        assert self.settled is not None
        if len(path) >= self.settled and len(path) > 2:
            # However often the player overlooks a win, it takes it eventually.
            safest = max(mass[~self.dial.ball[safe]].sum() for safe in self.near[path[-1]])
            best = np.full(self.n, safest / 2)
        else:
            best = np.max([self._left(path, safe, mass) for safe in self.near[path[-1]]], axis=0)
        if len(path) > 2:
            best[self.dial.ball[path[-1]]] = mass.sum()  # nobody wins on a first turn
        return best

    def _left(self, path: Sequence[int], safe: int, mass: Floats) -> Floats:
        """The same after the responder leaves this safe; 0 for a code that it may not show."""
        handed = mass.copy()
        handed[safe] = 0.0
        worth = self._player_moves([*path, safe], handed)
        worth[safe] = 0.0
        return worth

    def _player_moves(
        self, path: Sequence[int], mass: Floats, report: ShareDone = silent
    ) -> Floats:
        parts = np.zeros((self.n, self.n))  # by the safe it leaves, and by its code
        state = self._state(path)
        for own in np.flatnonzero(mass).tolist():
            for safe, chance in self._leaves(state, own).items():
                if safe != own:
                    parts[safe, own] = mass[own] * chance
        total = np.zeros(self.n)
        left = np.flatnonzero(parts.any(axis=1)).tolist()
        for done, safe in enumerate(left):
            report(done / len(left))
            worth = self._responder_moves([*path, safe], parts[safe])
            worth[safe] = parts[safe].sum()  # the player hands the responder the win
            total += worth
        return total

    def _leaves(self, state: SafecrackerDuelState, own: int) -> dict[int, float]:
        """The probability that the player with this code leaves each safe."""
        secret = (self.dial.codes[own],)
        state = state._replace(secrets=(secret, secret))
        assert isinstance(state.actor, Seat)
        safe, leaves = self.dial.number(state.board), dict[int, float]()
        for move, chance in self.policy(state.view(state.actor)).items():
            left = self._results[safe, move]
            leaves[left] = leaves.get(left, 0.0) + chance
        return leaves

    def _state(self, path: Sequence[int]) -> SafecrackerDuelState:
        """The state after the safe has shown this, without codes."""
        codes, seats = self.dial.codes, tuple(Seat)
        past = linked(
            Event(seats[turn % 2], self.dial.change[step], codes[step[1]])
            for turn, step in enumerate(pairwise(path))
        )
        turns = len(path) - 1
        actor, secrets = seats[turns % 2], ((), ())
        return SafecrackerDuelState(self.game, codes[path[-1]], secrets, past, turns, actor, None)

    def _settles(self, turns: int) -> bool:
        """Whether, after this many turns, the player changes back whenever it does not win."""
        return all(
            set(self._leaves(self._state(path), own)) <= {own, path[-2]}
            for path, own in self._lines(turns)
            if len(path) > 1
        )

    def _lines(self, turns: int) -> Iterator[tuple[list[int], int]]:
        rng = np.random.default_rng(turns)
        for number in range(SAMPLED):
            path = [self.dial.home]
            for _ in range(max(2, turns) + number % 6):
                path.append(int(rng.choice(self.near[path[-1]])))
            yield path, int(rng.integers(self.n))


class DuelScript:
    """Hides a code and makes some turns; wins where it can, and then changes back."""

    def __init__(self, code: Code, *turns: Change) -> None:
        self._code, self._turns = code, turns

    def choose(self, view: View) -> Move:
        """The code, or a change."""
        if view.setting_up:
            return self._code
        safes = results(view)
        done = view.turns // 2
        wanted = self._turns[done : done + 1]
        back = [turn for turn, safe in safes.items() if safe == safe_before(view)]
        winning = [turn for turn, safe in safes.items() if safe == self._code]
        return next(turn for turn in (*winning, *wanted, *back, *safes) if turn in safes)


class SafecrackerDuelResponder(Responder):
    """Responds at Safecracker Duel."""

    game: SafecrackerDuel

    def best(self, bot: Player, policy: Policy) -> ResponseValue:
        """The best response to a player who settles down."""
        return DuelResponse(self.game, policy).value

    def scripts(self, opponent: Opponent) -> Iterator[tuple[str, Script]]:
        """A script for each code that it may hide; higher digits are equivalent to 3."""
        for code in CODES.codes:
            if max(code.digits) <= 3:
                words = f"hides {code}, plays {FIRST_TURN}, then wins or changes back"
                yield words, partial(DuelScript, code, FIRST_TURN)
