"""The best response at Safe Code, to a player whose clues rule out one number each, evenly drawn.

Against such clues asking is never better than guessing, which rules out one number too and may win.
So the responder guesses, and what is left to choose are its own clues: how often they make the
player ask, and how many numbers they leave it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from math import isclose

from strongroom.arena.responses import Policy, Report, TooComplex, silent
from strongroom.contract import Event, Move, Seat, View
from strongroom.games.safe_code.clues import EVERY, Clue
from strongroom.games.safe_code.kinds import HIGHEST
from strongroom.games.safe_code.rules import (
    CLUES_EACH,
    NUMBERS,
    REQUEST,
    Number,
    SafeCode,
    SafeCodeState,
)
from strongroom.players.ideas import Mixture

OWN = Number(HIGHEST)
"""The player's number wherever it does not matter."""
ASKED_ABOUT = (1, 7, 18, HIGHEST)
"""For so many numbers the player is asked which clues it writes."""


class ClueResponse:
    """The best response to a player who asks first, if at all, and then guesses evenly."""

    def __init__(self, game: SafeCode, policy: Policy) -> None:
        self.game, self.policy = game, policy

    def value(self, seat: Seat, report: Report) -> float:
        """The most that a responder in this seat wins; refused for players less simple."""
        hiding = self.policy(self.game.start().view(Seat.ONE))
        if not _even(hiding, NUMBERS) or not all(map(self._tells_little, ASKED_ABOUT)):
            raise TooComplex("The player's clues tell more than they must.")
        return max(
            sum(_alive(turn + seat.index - asked, left) for turn in range(HIGHEST)) / HIGHEST
            for asked, left in self._ends(seat, (), report)
        )

    def _ends(
        self, seat: Seat, limits: tuple[int, ...], report: Report = silent
    ) -> Iterator[tuple[int, int]]:
        """By the responder's clues, how often the player asks, and how many numbers it has then.

        The responder hides 1 behind clues like "at most 20": so it can leave any number of numbers.
        """
        left = limits[-1] if limits else HIGHEST
        mixture = self.policy(self._view(seat, limits, ()))
        if mixture.get(REQUEST, 0.0) == 1 and len(limits) < CLUES_EACH:
            for limit in range(1, min(left + 1, HIGHEST)):
                if not limits:
                    report(limit / HIGHEST)
                yield from self._ends(seat, (*limits, limit))
        elif self._goes_on(seat, limits, left):
            yield len(limits), left
        else:
            raise TooComplex("The player neither asks first nor guesses evenly.")

    def _goes_on(self, seat: Seat, limits: tuple[int, ...], left: int) -> bool:
        """Whether the player then guesses all that is left, evenly, without asking again."""
        order = [*range(left, 0, -1)]
        return all(
            _even(self.policy(self._view(seat, limits, order[:done])), NUMBERS[: left - done])
            for done in {0, min(1, left - 1), left // 2, left - 1}
        )

    @cached_property
    def _prepared(self) -> SafeCodeState:
        """The game before the first turn."""
        state = self.game.start()
        for secret in (OWN, *_three(), OWN, *_three()):
            state = state.play(secret)
        return state

    def _view(self, seat: Seat, limits: Sequence[int], guesses: Sequence[int]) -> View:
        """What the player sees: these clues were given to it, and it has guessed these numbers."""
        clues = [Clue("at most", (limit,)) for limit in limits]
        events = [
            *(Event(seat.other, REQUEST, clue) for clue in clues),
            *(Event(seat.other, Number(guess), False) for guess in guesses),
        ]
        state = self._prepared._replace(actor=seat.other)
        for event in events:
            given = state.board._replace(
                **{seat.other.name.lower(): state.board[seat.other.index] + (event.move == REQUEST)}
            )
            state = state.after(event, given, seat.other)
        return state.view(seat.other)

    def _tells_little(self, number: int) -> bool:
        state, ruled_out = self.game.start().play(Number(number)), EVERY - {number}
        for _ in range(CLUES_EACH):
            shares = dict.fromkeys(ruled_out, 0.0)
            for clue, chance in self.policy(state.view(Seat.ONE)).items():
                if not isinstance(clue, Clue) or len(clue.meaning) != len(EVERY) - 1:
                    return False
                shares[min(EVERY - clue.meaning)] += chance
            if not all(isclose(share, 1 / len(shares)) for share in shares.values()):
                return False
            gone = min(ruled_out)
            state, ruled_out = state.play(Clue("different", (gone,))), ruled_out - {gone}
        return True


def _alive(guesses: int, left: int) -> float:
    """How likely so many different guesses at so many numbers have all missed."""
    return 1 - min(max(guesses, 0), left) / left


def _three() -> list[Clue]:
    return [Clue("different", (other,)) for other in range(1, CLUES_EACH + 1)]


def _even(mixture: Mixture, moves: Sequence[Move]) -> bool:
    """Whether exactly these moves are made, with the same probability."""
    return {*mixture} == {*moves} and all(
        isclose(chance, 1 / len(moves)) for chance in mixture.values()
    )
