"""What the best script against a player wins, measured: where no best response is computed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import accumulate, count
from random import Random
from typing import Final

from strongroom.arena.responses import Report
from strongroom.arena.responses.race import LONGEST, Codes, GuessTree, few_codes, mirrored
from strongroom.arena.responses.scripts import ClueScript, DuelScript, Repertoire, TreeScript
from strongroom.arena.tournament import TURN_LIMIT, Make, Score, play_one
from strongroom.contract import Game, Move, Refusal, Seat
from strongroom.games.codes import Code
from strongroom.games.digit_deductions.rules import DigitDeductions
from strongroom.games.safe_code.rules import CLUES_EACH, SafeCode
from strongroom.games.safecracker_duel.rules import CODES, Change, SafecrackerDuel
from strongroom.players import Player
from strongroom.players.casual.safe_code import everyday
from strongroom.randomness import stream

Script = Callable[[], Player]
"""Seats a script at a new game."""

SCRIPT: Final = "a script"
FIRST_TURN: Final = Change(1, 2)
TRIED: Final = 60
"""In so many games each script is tried, before the best one is measured."""
WATCHED: Final = 300
"""So many times a player is watched while it looks for a code."""
HIDINGS: Final = 5000
"""So many times a player is watched while it hides a code."""
REPERTOIRES: Final[dict[str, Repertoire]] = {"casual": everyday}
"""The clues that a player draws from, if not from all; only to read them better."""


@dataclass(frozen=True)
class Trial:
    """A player at a game, opposite a script as often as it takes."""

    game: Game
    name: str
    """The player's."""
    make: Make
    """Seats the player."""
    seat: Seat
    """Where the script sits."""
    seed: int

    def best(self, games: int, report: Report) -> tuple[str, Score]:
        """The best script of a family in words, and what it wins where it was not picked by."""
        family = dict(self._scripts())
        tries = TRIED if len(family) > 1 else 0
        played = _counted(report, len(family) * tries + games)

        def tried(each: str) -> float:
            return self._score(family[each], range(games, games + tries), played).mean

        words = max(family, key=tried) if tries else next(iter(family))
        return words, self._score(family[words], range(games), played)

    def _score(self, script: Script, numbers: range, played: Callable[[], None]) -> Score:
        def make(name: str, game: Game, rng: Random) -> Player:
            return script() if name == SCRIPT else self.make(name, game, rng)

        total = Score(SCRIPT, self.name)
        for number in numbers:
            # An even number seats the script in Seat.ONE.
            place = 2 * number + self.seat.index
            total += play_one(self.game, (SCRIPT, self.name), make, self.seed, place, TURN_LIMIT)
            played()
        return total

    def _scripts(self) -> Iterator[tuple[str, Script]]:
        """The scripts that are tried at the game, each with what it does in words."""
        if isinstance(self.game, SafecrackerDuel):
            for code in CODES.codes:
                if max(code.digits) <= 3:  # the other digits are like these
                    yield (
                        f"hides {code}, plays {FIRST_TURN}, then wins or changes back",
                        partial(DuelScript, code, FIRST_TURN),
                    )
        elif isinstance(self.game, SafeCode):
            repertoire = REPERTOIRES.get(self.name, _anything)
            for requests in range(CLUES_EACH + 1):
                yield (
                    f"asks for {requests} of the clues, then guesses what they make likeliest",
                    partial(ClueScript, requests, repertoire),
                )
        elif few_codes(self.game):
            yield self._tree()
        else:
            name = self.game.name
            raise Refusal(f"Nobody knows how to respond at {name} with these options.")

    def _tree(self) -> tuple[str, Script]:
        """The code that the player finds latest, and the best tree of guesses meanwhile."""
        rng = stream(self.seed, "watching")
        alive = {code: self._alive(code, rng) for code in self.game.actions}
        code = max(alive, key=lambda each: sum(alive[each]))
        assert isinstance(code, Code)
        tree = GuessTree(Codes(self.game, self._hidden(rng)), alive[code])
        return f"hides {code} and guesses by a tree", partial(TreeScript, code, tree)

    def _hidden(self, rng: Random) -> dict[Move, float]:
        """How often the player hides each code, as far as watching it tells."""
        view, bot = self.game.start().view(Seat.ONE), self.make(self.name, self.game, rng)
        seen: Counter[Move] = Counter()
        for _ in range(HIDINGS):
            code = bot.choose(view)
            assert isinstance(code, Code)
            # Mirror images are supposed to be hidden alike, which saves most of the tree.
            seen.update(mirrored(code) if isinstance(self.game, DigitDeductions) else [code])
        return {code: times / seen.total() for code, times in seen.items()}

    def _alive(self, code: Move, rng: Random) -> list[float]:
        """How likely the player has not found a code when the script makes each of its guesses."""
        game, found = self.game, [0] * (LONGEST + 1)
        for _ in range(WATCHED):
            bot, state = self.make(self.name, game, rng), game.start()
            own = bot.choose(state.view(Seat.ONE))
            state = state.play(own).play(code)
            idle = next(each for each in game.actions if each != own)
            for guess in range(LONGEST + 1):
                state = state.play(bot.choose(state.view(Seat.ONE)))
                if state.outcome is not None:
                    found[guess] += 1
                    break
                state = state.play(idle)
        missed = [1 - total / WATCHED for total in accumulate(found)]
        return [1.0, *missed][self.seat.index :][:LONGEST]


def _counted(report: Report, games: int) -> Callable[[], None]:
    """Reports after each of so many games."""
    done = count(1)
    return lambda: report(next(done) / games)


def _anything(clues: Sequence[Move]) -> Sequence[Move]:
    return clues
