"""The measured score of the best script against a player, where no best response is computed."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from random import Random
from typing import Final

from strongroom.arena.responses.responder import Opponent, Report, Script, responder_of
from strongroom.arena.score import Score
from strongroom.arena.tournament import play_one
from strongroom.contract import Game, Refusal
from strongroom.players import Player
from strongroom.referee.bout import TURN_LIMIT

SCRIPT: Final = "a script"
TRIED: Final = 60
"""The number of games in which each script is tried before the best one is measured."""


def best_script(opponent: Opponent, games: int, report: Report) -> tuple[str, Score]:
    """The best script in words, and its score on games not used to select it."""
    family = dict(responder_of(opponent.game).scripts(opponent))
    tries = TRIED if len(family) > 1 else 0
    played = _counted(report, len(family) * tries + games)

    def tried(each: str) -> float:
        return _score(opponent, family[each], range(games, games + tries), played).mean

    words = max(family, key=tried) if tries else next(iter(family))
    score = _score(opponent, family[words], range(games), played)
    if score.forfeits:
        raise Refusal(
            f"The script that {words} forfeited {score.forfeits} of {games} games.",
            f"Register a responder for {opponent.game.name}.",
        )
    return words, score


def _score(opponent: Opponent, script: Script, numbers: range, played: Callable[[], None]) -> Score:
    def make(name: str, game: Game, rng: Random) -> Player:
        return script() if name == SCRIPT else opponent.sit(rng)

    pair, total = (SCRIPT, opponent.name), Score(SCRIPT, opponent.name)
    for number in numbers:
        # An even number seats the script in Seat.ONE.
        place = 2 * number + opponent.responder_seat.index
        total += play_one(opponent.game, pair, make, opponent.seed, place, TURN_LIMIT)
        played()
    return total


def _counted(report: Report, games: int) -> Callable[[], None]:
    """A callback that reports progress after each of this many games."""
    done = count(1)
    return lambda: report(next(done) / games)
