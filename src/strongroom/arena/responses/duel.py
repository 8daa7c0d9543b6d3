"""The best response at Safecracker Duel, to a player who sooner or later only changes back.

The responder picks any code and reads the player's from its turns. Once the player settles, it wins
now and then where it can and else changes back, so the responder is never again where it was not
before: it wins at once, or it keeps to the safest turn, which is worth half of what does not lose.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from strongroom.arena.responses import Policy, Report, TooComplex, silent
from strongroom.contract import Event, Move, Seat
from strongroom.contract.history import linked
from strongroom.games.safecracker_duel.rules import SafecrackerDuel, SafecrackerDuelState
from strongroom.theory.safecracker_duel.board import Dial

Floats = NDArray[np.float64]

LATEST: Final = 4
"""A player who has not settled after so many turns is too restless for this."""
SAMPLED: Final = 60
"""On so many lines of play the player is asked whether it has settled."""


class DuelResponse:
    """The best response to a policy, over every code of both and every line until it settles."""

    def __init__(self, game: SafecrackerDuel, policy: Policy) -> None:
        self.game, self.policy, self.dial = game, policy, Dial.of(game)
        self.n = len(self.dial.codes)
        self.near = [row.tolist() for row in self.dial.near]
        self._results: dict[tuple[int, Move], int] = {
            (before, turn): after for (before, after), turn in self.dial.change.items()
        }
        """By safe and turn, the safe that is left."""
        found = [turn for turn in range(LATEST + 1) if self._settles(turn)]
        self.settled: int | None = found[0] if found else None
        """After how many turns the player only wins or changes back; None: later, or never."""

    def value(self, seat: Seat, report: Report) -> float:
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
        """By its own code, the mass of the player's codes against which the responder wins."""
        assert self.settled is not None
        if len(path) >= self.settled and len(path) > 2:
            # However often the player overlooks a win, sooner or later it takes it.
            safest = max(mass[~self.dial.ball[safe]].sum() for safe in self.near[path[-1]])
            best = np.full(self.n, safest / 2)
        else:
            best = np.max([self._left(path, safe, mass) for safe in self.near[path[-1]]], axis=0)
        if len(path) > 2:
            best[self.dial.ball[path[-1]]] = mass.sum()  # nobody wins on a first turn
        return best

    def _left(self, path: Sequence[int], safe: int, mass: Floats) -> Floats:
        """The same, when the responder has left this safe; a code that may not be shown gets 0."""
        handed = mass.copy()
        handed[safe] = 0.0
        worth = self._player_moves([*path, safe], handed)
        worth[safe] = 0.0
        return worth

    def _player_moves(self, path: Sequence[int], mass: Floats, report: Report = silent) -> Floats:
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
            worth[safe] = parts[safe].sum()  # the player has handed it the win
            total += worth
        return total

    def _leaves(self, state: SafecrackerDuelState, own: int) -> dict[int, float]:
        """With which probability the player, who has this code, leaves which safe."""
        secret = (self.dial.codes[own],)
        state = state._replace(secrets=(secret, secret))
        assert isinstance(state.actor, Seat)
        safe, leaves = self.dial.number(state.board), dict[int, float]()
        for move, chance in self.policy(state.view(state.actor)).items():
            left = self._results[safe, move]
            leaves[left] = leaves.get(left, 0.0) + chance
        return leaves

    def _state(self, path: Sequence[int]) -> SafecrackerDuelState:
        """The game in which the safe has shown this, whatever the codes are."""
        codes, seats = self.dial.codes, tuple(Seat)
        past = linked(
            Event(seats[turn % 2], self.dial.change[step], codes[step[1]])
            for turn, step in enumerate(pairwise(path))
        )
        turns = len(path) - 1
        actor, secrets = seats[turns % 2], ((), ())
        return SafecrackerDuelState(self.game, codes[path[-1]], secrets, past, turns, actor, None)

    def _settles(self, turns: int) -> bool:
        """Whether after so many turns the player changes back all that does not win."""
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
