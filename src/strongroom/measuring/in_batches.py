"""A player measured in batches: very many games on a device, of which only sums are kept.

Two of the three estimates of its expected score follow from sums: results counted, and what a best
response wins minus what the decisions cost. Profile, worst moves and records need every game.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from strongroom.contests.schedule import mean_and_variance
from strongroom.contests.workers import GameProgress
from strongroom.contract import Game, Json, Refusal, Seat
from strongroom.contract.codec import to_json
from strongroom.measuring.estimator import Estimate, Sample, Scale, balance_seats
from strongroom.measuring.protocol import Protocol
from strongroom.measuring.result import FORMAT_IN_BATCHES, exact_score
from strongroom.players import CERTIFIED
from strongroom.plugins.registry import PLAYERS
from strongroom.referee.bout import TURN_LIMIT
from strongroom.referee.randomness import stream
from strongroom.theory.shelf import solution_of
from strongroom.vector.devices import MOST_GAMES, on_device
from strongroom.vector.environment import Env
from strongroom.vector.matches import MeanCost, play
from strongroom.vector.players import Costs, costs_of, seat_players
from strongroom.version import made_with

VERSION: Final = 1
"""The version of the form of reports that are written."""


class BatchedProtocol(Protocol):
    """A protocol for more rounds than could be played one by one."""

    most_rounds = MOST_GAMES


@dataclass(frozen=True, slots=True)
class Tally:
    """How a player's games in one seat ended, and what its decisions cost."""

    wins: int
    undecided: int
    losses: int
    start: float | None = None
    """V before the first move; None if it is not known what decisions cost."""
    cost: MeanCost | None = None
    """What the decisions of a game cost together."""

    @property
    def games(self) -> int:
        """The number of games played."""
        return self.wins + self.undecided + self.losses

    @property
    def counted(self) -> Sample:
        """The results: a win is 1, an undecided game one half."""
        return Sample(self.games, *mean_and_variance(self.wins, self.undecided, self.losses))

    @property
    def by_costs(self) -> Sample | None:
        """V at the start minus the costs."""
        if self.start is None or self.cost is None:
            return None
        return Sample(self.games, self.start - self.cost.mean, self.cost.error**2 * self.games)


@dataclass(frozen=True, slots=True)
class BatchedResult:
    """A player's games at one game, and the figures that follow from their sums."""

    game: Game
    protocol: Protocol
    tallies: Mapping[Seat, Tally]

    @property
    def counted(self) -> Estimate:
        """The expected score by results alone."""
        return balance_seats([each.counted for each in self.tallies.values()])

    @property
    def by_costs(self) -> Estimate | None:
        """The expected score by costs alone; None if they are not known."""
        samples = [each.by_costs for each in self.tallies.values()]
        known = [each for each in samples if each is not None]
        if len(known) < len(samples):
            return None
        starts = [each.start or 0.0 for each in self.tallies.values()]
        return balance_seats(known, Scale([0.0] * len(starts), starts))

    @property
    def cost(self) -> float | None:
        """What the decisions of a game cost together, on average; None if that is not known."""
        costs = [each.cost.mean for each in self.tallies.values() if each.cost is not None]
        return sum(costs) / len(costs) if costs else None

    @property
    def exact(self) -> float | None:
        """The player's exact expected score, if it needs no game."""
        name = self.protocol.player
        if self.protocol.against != CERTIFIED or name not in PLAYERS:
            return None
        return exact_score(self.game, name, self.protocol.seats)

    def to_json(self) -> Json:
        """The figures as JSON data."""
        tallies = self.tallies.values()
        return {
            "title": self.game.title,
            "options": self.game.options.to_json(),
            "games": sum(each.games for each in tallies),
            "wins": sum(each.wins for each in tallies),
            "undecided": sum(each.undecided for each in tallies),
            "losses": sum(each.losses for each in tallies),
            **_estimate_to_json("counted", self.counted),
            **_estimate_to_json("by_costs", self.by_costs),
            "cost": self.cost,
            "exact": self.exact,
        }


def _estimate_to_json(name: str, found: Estimate | None) -> Json:
    if found is None:
        return dict.fromkeys((name, f"{name}_error", f"{name}_interval"))
    interval = list(found.interval)
    return {name: found.mean, f"{name}_error": found.known_error, f"{name}_interval": interval}


class BatchedMeasurement:
    """The figures of a player, game by game."""

    def __init__(self, protocol: Protocol, results: Mapping[str, BatchedResult], device: str):
        self.protocol, self.results, self.device = protocol, results, device

    def to_json(self) -> Json:
        """The report, without records; the same protocol leads to the same games again."""
        return {
            "format": FORMAT_IN_BATCHES,
            "version": VERSION,
            **made_with("jax"),
            "device": self.device,
            **to_json(self.protocol),
            "results": {name: each.to_json() for name, each in self.results.items()},
        }


def measure_in_batches(
    protocol: Protocol, *, batch: int | None = None, progress: GameProgress | None = None
) -> BatchedMeasurement:
    """Play the games of a protocol in batches, `batch` of them side by side.

    >>> from strongroom import load
    >>> protocol = Protocol("random", (load("safe-cracker"),), rounds=50, against="random")
    >>> measured = measure_in_batches(protocol)
    >>> measured.results["safe-cracker"].to_json()["games"]
    100
    """
    results = {}
    with on_device() as device:
        for game in protocol.games:
            results[game.name] = _measure_game(protocol, game, batch, progress)
    return BatchedMeasurement(protocol, results, device)


def _measure_game(
    protocol: Protocol, game: Game, batch: int | None, progress: GameProgress | None
) -> BatchedResult:
    env, (player, opponent) = seat_players(game, (protocol.player, protocol.against))
    costs = _costs(env) if protocol.against == CERTIFIED else None
    tallies: dict[Seat, Tally] = {}

    def heard(over: int) -> None:
        if progress is not None:
            played = protocol.rounds * len(tallies) + over
            progress(game, played, protocol.rounds * len(protocol.seats))

    for seat in protocol.seats:
        told = f"{protocol.seed}, Player {seat.value} at {game!r}"
        seed = stream(told, "batches").getrandbits(32)
        sitting = (player, opponent) if seat is Seat.ONE else (opponent, player)
        played = play(
            env, *sitting, protocol.rounds, seed, batch=batch, costs=costs, progress=heard
        )
        won = (played.won_by_one, played.won_by_two)
        tallies[seat] = Tally(
            won[seat.index],
            played.undecided,
            won[seat.other.index],
            None if costs is None else solution_of(game).worth.start(seat, TURN_LIMIT),
            None if played.costs is None else played.costs[seat.index],
        )
    return BatchedResult(game, protocol, tallies)


def _costs(env: Env) -> Costs | None:
    """What decisions cost against master, where that is known in batches."""
    try:
        return costs_of(env)
    except Refusal:
        return None
