"""Fixed scripts: opponents that never read the bot's play, from a handful of numbers each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Final

from strongroom.arena.responses.race import GuessTree
from strongroom.contract import Move, View
from strongroom.games.codes import Code
from strongroom.games.safe_code.clues import EVERY, Clue, clues_about
from strongroom.games.safe_code.rules import CLUES_EACH, REQUEST, CluesLeft, Number
from strongroom.games.safecracker_duel.rules import Change
from strongroom.players.candidates import guesses_of
from strongroom.players.duelling import results, safe_before

Repertoire = Callable[[Sequence[Move]], Sequence[Move]]
"""Among which of the clues that it may write a player draws evenly."""
HIDDEN: Final = Number(17)
WEAK: Final = tuple(Clue("different", (number,)) for number in (1, 2, 3))


class TreeScript:
    """Hides a code, and guesses as a tree says that looks at its own answers alone."""

    def __init__(self, code: Code, tree: GuessTree) -> None:
        self._code, self._tree = code, tree

    def choose(self, view: View) -> Move:
        """The code, or the next guess."""
        if view.setting_up:
            return self._code
        assert view.seat is not None
        codes, own = self._tree.codes, guesses_of(view, view.seat)
        left = codes.all
        for digits, answer in own:
            left &= codes.cells[codes.number[Code(digits)]][answer]
        return self._tree.guess(left, len(own))


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


class ClueScript:
    """Hides behind weak clues, asks so often, and then guesses what the clues make likeliest."""

    def __init__(self, requests: int, repertoire: Repertoire) -> None:
        self._requests, self._repertoire = requests, repertoire

    def choose(self, view: View) -> Move:
        """The number, a clue, the request for one, or a guess."""
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
    """How likely these clues are, and in this order, of somebody who has this number."""
    if not clues:
        return 1.0
    *earlier, last = clues
    if not all(number in clue.meaning for clue in clues):
        return 0.0
    written = repertoire(CluesLeft(number, earlier) if earlier else clues_about(number))
    now = 1 / len(written) if last in written else 0.0
    return now * _likely(number, (*earlier,), repertoire)
