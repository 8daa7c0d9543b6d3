"""Tournaments: every pair of players at every game, in both seats, often enough for error bars."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from typing import Annotated, Any, Final, NamedTuple

from strongroom.accounts.account import account
from strongroom.contests.schedule import Make, Pair, Pairing, Schedule, Score, play_from_seed
from strongroom.contests.workers import Pool, Progress, each_done, pool_for
from strongroom.contract import Ending, Game, Refusal, Seat, quote
from strongroom.contract.codec import json_form
from strongroom.contract.rules import parts
from strongroom.minds.dialogue import Exchange, TextPlayer
from strongroom.players import CERTIFIED, player
from strongroom.plugins.registry import find_entry
from strongroom.referee.bout import TURN_LIMIT
from strongroom.referee.record import Record
from strongroom.theory import shelf
from strongroom.theory.worth import Worth

COSTED: Final = 100
"""How many games of each pair with master are accounted for."""


class Said(NamedTuple):
    """What a player that is asked in text said in a game, and what it spent."""

    tokens: int | None
    money: float | None
    """In dollars."""
    exchanges: tuple[Exchange, ...]


def _read_pairing(data: Any, schedule: Schedule) -> Pairing:
    """The pairing in a game's JSON data, if it is one of a schedule; or a refusal."""
    name, pair, number = parts(data, "game", "pair", "number")
    game, pair = schedule.named.get(name), tuple(pair)
    if game is None or pair not in schedule.pairs or number not in range(schedule.rounds):
        raise Refusal("The game is none of this tournament.")
    return Pairing(game, pair, number, schedule.seed, schedule.turn_limit)


@json_form("*pairing winner reason detail turns moves cost decisions said")
@dataclass(frozen=True, slots=True)
class Played:
    """One game of a tournament, played; it is read from JSON data with the schedule."""

    pairing: Annotated[Pairing, _read_pairing]
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

    def __post_init__(self) -> None:
        if self.winner not in (*self.pairing.pair, None):
            raise Refusal("Whoever won is none of the players.")

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


def play_pairing(pairing: Pairing, make: Make = player, costs: bool = False) -> Played:
    """Play a game to its end; with `costs`, account for the decisions against master as well."""
    seated = pairing.seat_players(make)
    match = play_from_seed(pairing.game, seated, pairing.own_seed, turn_limit=pairing.turn_limit)
    record = match.record
    outcome = record.outcome
    assert outcome is not None
    return Played(
        pairing,
        None if outcome.winner is None else pairing.sitting[outcome.winner.index],
        outcome.reason.value,
        outcome.detail,
        match.bout.state.turns,
        tuple(str(step.move) for step in record.steps),
        *(_cost(record, pairing.sitting) if costs else (None, 0)),
        {
            name: Said(each.tokens, each.money, tuple(each.exchanges))
            for name, each in zip(pairing.sitting, seated.values(), strict=True)
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
        raise Refusal(f"{quote(name)} plays from this machine alone.", "Leave --cluster out.")
    pool = pool or pool_for(seats.values(), left, workers)
    yield from each_done(partial(_play, make, COSTED if costs else 0), tasks, pool, left)


def _play(make: Make, costed: int, pairing: Pairing) -> Played:
    return play_pairing(pairing, make, costs=pairing.number < costed)


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
