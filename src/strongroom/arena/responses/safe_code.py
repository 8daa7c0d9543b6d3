"""The best response in Safe Code to a player whose clues rule out one uniformly drawn number each.

Against such clues asking is never better than guessing, which rules out one number too and may win.
So the responder guesses, and its only choice is its own clues: how often they make the player ask,
and how many numbers they leave it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property, lru_cache, partial
from math import isclose
from typing import Final

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
from strongroom.games.safe_code.clues import EVERY, Clue, clues_left
from strongroom.games.safe_code.kinds import HIGHEST
from strongroom.games.safe_code.rules import (
    CLUES_EACH,
    NUMBERS,
    REQUEST,
    Number,
    SafeCode,
    SafeCodeState,
)
from strongroom.players import Player
from strongroom.players.casual import everyday
from strongroom.players.ideas import Mixture

Repertoire = Callable[[Sequence[Move]], Sequence[Move]]
"""The clues, among those that it may write, from which a player draws uniformly."""

OWN = Number(HIGHEST)
"""The player's number, where it does not matter."""
ASKED_ABOUT = (1, 7, 18, HIGHEST)
"""The codes for which the player's clues are checked."""
HIDDEN: Final = Number(17)
WEAK: Final = tuple(Clue("different", (number,)) for number in range(1, CLUES_EACH + 1))
REPERTOIRES: Final[dict[str, Repertoire]] = {"casual": everyday}
"""The clues that a player draws from, if not all; used only to read them better."""


class ClueResponse:
    """The best response to a player who asks first, if at all, and then guesses uniformly."""

    def __init__(self, game: SafeCode, policy: Policy) -> None:
        self.game, self.policy = game, policy

    def value(self, seat: Seat, report: ShareDone) -> float:
        """The most that a responder in this seat wins; TooComplex for any other player."""
        hiding = self.policy(self.game.start().view(Seat.ONE))
        if not _even(hiding, NUMBERS) or not all(map(self._tells_little, ASKED_ABOUT)):
            raise TooComplex("The player's clues tell more than they must.")
        return max(
            sum(_alive(turn + seat.index - asked, left) for turn in range(HIGHEST)) / HIGHEST
            for asked, left in self._ends(seat, (), report)
        )

    def _ends(
        self, seat: Seat, limits: tuple[int, ...], report: ShareDone = silent
    ) -> Iterator[tuple[int, int]]:
        """For the responder's clues, how often the player asks, and how many numbers it has then.

        The responder hides 1 behind clues like "at most 20", so it can leave any number of numbers.
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
        """Whether the player then guesses uniformly among what is left, without asking again."""
        order = [*range(left, 0, -1)]
        return all(
            _even(self.policy(self._view(seat, limits, order[:done])), NUMBERS[: left - done])
            for done in {0, min(1, left - 1), left // 2, left - 1}
        )

    @cached_property
    def _prepared(self) -> SafeCodeState:
        """The state before the first turn."""
        state = self.game.start()
        for secret in (OWN, *WEAK, OWN, *WEAK):
            state = state.play(secret)
        return state

    def _view(self, seat: Seat, limits: Sequence[int], guesses: Sequence[int]) -> View:
        """The player's view after it was given these clues and guessed these numbers."""
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
    """The probability that this many different guesses have all missed, with `left` numbers."""
    return 1 - min(max(guesses, 0), left) / left


def _even(mixture: Mixture, moves: Sequence[Move]) -> bool:
    """Whether exactly these moves are made, with equal probability."""
    return {*mixture} == {*moves} and all(
        isclose(chance, 1 / len(moves)) for chance in mixture.values()
    )


class ClueScript:
    """Writes weak clues, asks `requests` times, then guesses what the answers make likeliest."""

    def __init__(self, requests: int, repertoire: Repertoire) -> None:
        self._requests, self._repertoire = requests, repertoire

    def choose(self, view: View) -> Move:
        """The number, a clue, a request for one, or a guess."""
        if view.setting_up:
            return (HIDDEN, *WEAK)[len(view.secret)]
        own = [event for event in view.history if event.actor is view.seat]
        clues = [event.answer for event in own if isinstance(event.answer, Clue)]
        if len(clues) < min(self._requests, CLUES_EACH):
            return REQUEST
        wrong = {event.move for event in own}
        left = [n for n in sorted(EVERY) if Number(n) not in wrong]
        return Number(max(left, key=lambda n: _likely(n, (*clues,), self._repertoire)))


@lru_cache(maxsize=1 << 14)
def _likely(number: int, clues: tuple[Clue, ...], repertoire: Repertoire) -> float:
    """The likelihood of these clues, in this order, from a player who has this number."""
    if not clues:
        return 1.0
    *earlier, last = clues
    if not all(number in clue.meaning for clue in clues):
        return 0.0
    written = repertoire(clues_left(number, earlier))
    now = 1 / len(written) if last in written else 0.0
    return now * _likely(number, (*earlier,), repertoire)


def _anything(clues: Sequence[Move]) -> Sequence[Move]:
    return clues


class SafeCodeResponder(Responder):
    """Responds at Safe Code."""

    game: SafeCode

    def best(self, bot: Player, policy: Policy) -> ResponseValue:
        """The best response to a player whose clues tell little."""
        return ClueResponse(self.game, policy).value

    def scripts(self, opponent: Opponent) -> Iterator[tuple[str, Script]]:
        """A script for each number of clues that it may ask for."""
        repertoire = REPERTOIRES.get(opponent.name, _anything)
        for requests in range(CLUES_EACH + 1):
            words = f"asks for {requests} of the clues, then guesses what they make likeliest"
            yield words, partial(ClueScript, requests, repertoire)
