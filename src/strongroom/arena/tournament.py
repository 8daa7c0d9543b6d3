"""Tournaments: every pair of players at every game, in both seats, often enough for error bars."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from itertools import combinations
from random import Random
from typing import Any, ClassVar, Final, NamedTuple

from strongroom.agents.text_player import TextPlayer
from strongroom.arena.score import Score
from strongroom.arena.workers import Pool, each_done, pool_for
from strongroom.contract import Ending, Game, Json, Refusal, Seat, shown
from strongroom.contract.rules import parts
from strongroom.measuring.account import account
from strongroom.players import CERTIFIED, Player, player
from strongroom.players.drive import Drive
from strongroom.plugins.registry import find_entry
from strongroom.referee.bout import TURN_LIMIT
from strongroom.referee.match import Match
from strongroom.referee.randomness import draws, nonces, stream
from strongroom.referee.record import SITTERS, Record
from strongroom.theory import shelf
from strongroom.theory.worth import Worth

COSTED: Final = 100
"""How many games of each pair with master are accounted for."""
MOST_GAMES: Final = 1_000_000
"""The most games of a pair."""

Make = Callable[[str, Game, Random], Player]
"""Creates the player with a name for a game; for workers, it must be a module-level function."""
Progress = Callable[[int, int], None]
"""Called with the number of games played and their total."""
Pair = tuple[str, str]
"""The names of two players."""


@dataclass(frozen=True, slots=True)
class Schedule:
    """What is played in a tournament; everything but the players' moves follows from it."""

    games: tuple[Game, ...]
    players: tuple[str, ...]
    rounds: int
    """How many games each pair plays, with the seats alternating."""
    seed: int = 1
    turn_limit: int = TURN_LIMIT
    seed_known: bool = True
    """Whether the players could know the seed, because it was not drawn after they were named."""
    most_rounds: ClassVar[int] = MOST_GAMES

    def __post_init__(self) -> None:
        if len(self.players) < 2:
            raise Refusal("A tournament needs two players.", "For example: --players master expert")
        for name in self.players:
            if not name.isprintable():
                told = "has characters that cannot be printed"
                raise Refusal(f"The player {shown(name)} {told}.", "Rename it.")
        for named in (self.players, [game.name for game in self.games]):
            if twice := [name for name, count in Counter(named).items() if count > 1]:
                raise Refusal(f"{shown(twice[0])} is named twice.", "Name each of them once.")
        if not 0 < self.rounds <= self.most_rounds:
            raise Refusal(f"A pair can play 1 to {self.most_rounds} games.")

    @property
    def pairs(self) -> list[Pair]:
        """Every pair of players."""
        return list(combinations(self.players, 2))

    @property
    def pairings(self) -> Iterator[Pairing]:
        """The games to be played, game by game and round by round."""
        pairs = self.pairs
        for game in self.games:
            for number in range(self.rounds):
                for pair in pairs:
                    yield Pairing(game, pair, number, self.seed, self.turn_limit)

    def to_json(self) -> Json:
        """The schedule as JSON data."""
        return {
            "games": {game.name: game.options.to_json() for game in self.games},
            "players": list(self.players),
            "rounds": self.rounds,
            "seed": self.seed,
            "seed_known": self.seed_known,
            "turn_limit": self.turn_limit,
        }


@dataclass(frozen=True, slots=True)
class Pairing:
    """One game to be played."""

    game: Game
    pair: Pair
    number: int
    """The first of the pair sits in Seat.ONE if this is even."""
    seed: int
    turn_limit: int = TURN_LIMIT

    @property
    def sitting(self) -> Pair:
        """The players in Seat.ONE and Seat.TWO."""
        one, two = self.pair
        return (one, two) if self.number % 2 == 0 else (two, one)

    def play(self, make: Make = player, costs: bool = False) -> Played:
        """Play it to the end and, if asked to, find out what the decisions against master cost."""
        seed = f"{self.seed}, game {self.number} of {self.pair} at {self.game!r}"
        streams = ("player", "opponent") if self.number % 2 == 0 else ("opponent", "player")
        seated = {
            seat: make(name, self.game, stream(seed, own))
            for seat, name, own in zip(Seat, self.sitting, streams, strict=True)
        }
        match = Match.start(self.game, SITTERS, self.turn_limit, draws(seed), nonces(seed))
        match = Drive(match, seated, clock=lambda: 0.0).run()
        record = match.record
        outcome = record.outcome
        assert outcome is not None
        return Played(
            self,
            None if outcome.winner is None else self.sitting[outcome.winner.index],
            outcome.reason.value,
            outcome.detail,
            match.bout.state.turns,
            tuple(str(step.move) for step in record.steps),
            *(_cost(record, self.sitting) if costs else (None, 0)),
            {
                name: Said(each.tokens, each.money, tuple(one.to_json() for one in each.exchanges))
                for name, each in zip(self.sitting, seated.values(), strict=True)
                if isinstance(each, TextPlayer)
            },
        )


@cache
def _worth(game: Game) -> Worth | None:
    """What decisions against the certified player are worth, where there is one."""
    return shelf.solution_of(game).worth if shelf.is_certified(game) else None


def _cost(record: Record, sitting: Pair) -> tuple[float | None, int]:
    """What the decisions of the certified player's opponent cost, and how many they were."""
    if CERTIFIED not in sitting or (worth := _worth(record.game)) is None:
        return None, 0
    seat = Seat.ONE if sitting[1] == CERTIFIED else Seat.TWO
    decisions = account(record, seat, worth).decisions
    return sum(each.cost for each in decisions), len(decisions)


class Said(NamedTuple):
    """What a player who is asked in text said in a game, and what that took."""

    tokens: int | None
    money: float | None
    """In dollars."""
    exchanges: tuple[Json, ...]


TOLD: Final = ("winner", "reason", "detail", "turns", "moves", "cost", "decisions", "said")
"""What the JSON data of a game say besides its place."""


@dataclass(frozen=True, slots=True)
class Played:
    """One game of a tournament, played."""

    pairing: Pairing
    winner: str | None
    """Who won; None if nobody did."""
    reason: str
    """How the game ended, as in a record."""
    detail: str
    """Why a player forfeited."""
    turns: int
    """How many turns it lasted."""
    moves: tuple[str, ...]
    """Every move in turn, those of chance and private ones included."""
    cost: float | None = None
    """What the decisions of master's opponent cost, in won games; None if that is not known."""
    decisions: int = 0
    """How many decisions those were."""
    said: Mapping[str, Said] = field(default_factory=dict)
    """What was said, by each player who is asked in text."""

    @property
    def forfeiter(self) -> str | None:
        """Who forfeited, if somebody did."""
        if self.reason != Ending.FORFEITED.value:
            return None
        return next(name for name in self.pairing.pair if name != self.winner)

    @property
    def score(self) -> Score:
        """The score of the pair's first player."""
        one, two = self.pairing.pair
        return Score(
            one,
            two,
            wins=int(self.winner == one),
            undecided=int(self.winner is None),
            losses=int(self.winner == two),
            forfeits=int(self.forfeiter == one),
            gifts=int(self.forfeiter == two),
        )

    def to_json(self) -> Json:
        """The game as JSON data."""
        return {
            "game": self.pairing.game.name,
            "pair": list(self.pairing.pair),
            "number": self.pairing.number,
            "first": self.pairing.sitting[0],
            "winner": self.winner,
            "reason": self.reason,
            "detail": self.detail,
            "turns": self.turns,
            "moves": list(self.moves),
            "cost": self.cost,
            "decisions": self.decisions,
            "said": {name: each._asdict() for name, each in self.said.items()},
        }

    @classmethod
    def from_json(cls, data: Any, schedule: Schedule) -> Played:
        """The game whose `to_json` gave this data, if it is one of a schedule; or a refusal."""
        name, pair, number, *told = parts(data, "game", "pair", "number", *TOLD)
        winner, reason, detail, turns, moves, cost, decisions, said = told
        games = {game.name: game for game in schedule.games}
        if tuple(pair) not in schedule.pairs or number not in range(schedule.rounds):
            raise Refusal("The game is none of this tournament.")
        if winner not in (*pair, None):
            raise Refusal("Whoever won is none of the players.")
        pairing = Pairing(games[name], tuple(pair), number, schedule.seed, schedule.turn_limit)
        heard = {
            who: Said(each["tokens"], each["money"], tuple(each["exchanges"]))
            for who, each in said.items()
        }
        return cls(pairing, winner, reason, detail, turns, tuple(moves), cost, decisions, heard)


def play_all(
    schedule: Schedule,
    make: Make = player,
    *,
    kept: Iterable[Played] = (),
    costs: bool = True,
    pool: Pool | None = None,
    workers: int | None = None,
) -> Iterator[Played]:
    """Play the games of a tournament, apart from those already `kept`, as they are finished.

    The same seed gives the same games, wherever they are played. Costs take longer than games, so
    only the first games of each pair are accounted for.
    """
    done = {each.pairing for each in kept}
    left = len(schedule.games) * schedule.rounds * len(schedule.pairs) - len(done)
    tasks = (each for each in schedule.pairings if each not in done)
    names = schedule.players if make is player else ()
    seats = {name: find_entry("player", name) for name in names}
    for name in (each for each, how in seats.items() if pool and hasattr(how, "concurrency")):
        raise Refusal(f"{shown(name)} plays from this machine alone.", "Leave --cluster out.")
    pool = pool or pool_for(seats.values(), left, workers)
    yield from each_done(partial(_play, make, COSTED if costs else 0), tasks, pool, left)


def _play(make: Make, costed: int, pairing: Pairing) -> Played:
    return pairing.play(make, costs=pairing.number < costed)


def tournament(
    game: Game,
    players: Sequence[str],
    make: Make,
    games: int,
    *,
    seed: int = 0,
    turn_limit: int = TURN_LIMIT,
    workers: int = 2,
    progress: Progress | None = None,
) -> list[Score]:
    """Play `games` games of every pair at a game, with the seats alternating."""
    schedule = Schedule((game,), tuple(players), games, seed, turn_limit)
    scores = {pair: Score(*pair) for pair in schedule.pairs}
    for count, played in enumerate(play_all(schedule, make, costs=False, workers=workers), 1):
        scores[played.pairing.pair] += played.score
        if progress is not None:
            progress(count, games * len(scores))
    return list(scores.values())


def play_one(game: Game, pair: Pair, make: Make, seed: int, number: int, turn_limit: int) -> Score:
    """One game of a pair; its first player sits in Seat.ONE if the game's number is even."""
    return Pairing(game, pair, number, seed, turn_limit).play(make).score
