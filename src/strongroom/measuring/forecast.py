"""Forecasts of the calls and tokens that a model will need, before anything is asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import ceil
from random import Random
from typing import Final

from strongroom.contests.schedule import Schedule
from strongroom.contract import Game, Move, Refusal, View
from strongroom.measuring.estimator import Sample, Scale, balance_seats
from strongroom.measuring.measure import Measurement
from strongroom.measuring.protocol import MOST_ROUNDS, Fixture, Protocol
from strongroom.minds.allowance import Prices, in_tokens
from strongroom.minds.dialogue import Dialogue, Style
from strongroom.minds.settings import USUAL, Conversation, Settings
from strongroom.players import CERTIFIED, player
from strongroom.puzzles.sets import Exercise
from strongroom.report.text import join_names

SAMPLE: Final = 4
"""How many games are played to see how many questions there are, and how long."""
ANSWER: Final = {True: 300, False: 20}
"""How many tokens an answer is assumed to have, with and without scratch work."""


@dataclass(frozen=True, slots=True)
class Forecast:
    """About how many calls there will be, and how many tokens."""

    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0

    def __add__(self, other: Forecast) -> Forecast:
        return Forecast(
            self.calls + other.calls,
            self.tokens_in + other.tokens_in,
            self.tokens_out + other.tokens_out,
        )

    def sentence(self, prices: Prices | None) -> str:
        """The forecast in a sentence, with its cost if prices are known.

        >>> Forecast(1200, 840_000, 360_000).sentence(Prices(2.5, 10))
        'About 1,200 calls with 840k tokens in and 360k out, about $5.70.'
        """
        money = ""
        if prices is not None:
            money = f", about ${prices.of(self.tokens_in, self.tokens_out):.2f}"
        tokens = f"{_brief(self.tokens_in)} tokens in and {_brief(self.tokens_out)} out"
        return f"About {self.calls:,} calls with {tokens}{money}."


def forecast(
    protocol: Protocol, fixtures: Sequence[Fixture], style: Style, settings: Settings = USUAL
) -> Forecast:
    """What these games will take, judged by a few of them as casual plays them."""
    found = Forecast()
    for game in protocol.games:
        those = [each for each in fixtures if each.game == game]
        asked: list[int] = []
        sample = those[:SAMPLE]
        for each in sample:
            each.play(protocol.player, protocol.against, partial(_Counts, asked, style, settings))
        if sample:
            share = len(those) / len(sample)
            calls, tokens = ceil(len(asked) * share), ceil(sum(asked) * share)
            found += Forecast(calls, tokens, calls * _answer(style, settings))
    return found


def forecast_tournament(
    schedule: Schedule, models: Mapping[str, Style], settings: Settings = USUAL
) -> Forecast:
    """What the games of some players of a tournament will take, judged by games against random."""
    found = Forecast()
    for name, style in models.items():
        rounds = ceil(schedule.rounds * (len(schedule.players) - 1) / 2)
        protocol = Protocol(name, schedule.games, rounds, against="random", seed=schedule.seed)
        found += forecast(protocol, [*protocol.fixtures], style, settings)
    return found


def forecast_puzzles(
    puzzles: Sequence[Exercise], style: Style, settings: Settings = USUAL
) -> Forecast:
    """What it will take to answer puzzles, with one call each."""
    tokens = sum(
        in_tokens(each.dialogue(style).opening_with(each.rules) + each.text)
        + _before(each.game, settings)
        for each in puzzles
    )
    return Forecast(len(puzzles), tokens, len(puzzles) * _answer(style, settings))


def _answer(style: Style, settings: Settings) -> int:
    """About how many tokens an answer has."""
    usual = ANSWER[style.scratch]
    return usual if settings.max_tokens is None else min(usual, settings.max_tokens)


def _before(game: Game, settings: Settings) -> int:
    """How many tokens of the settings stand before each question."""
    shown = [each.question + each.answer for each in settings.examples_for(game.name)]
    return in_tokens("".join((settings.system, *shown)))


# --- how many games a precision needs -------------------------------------------------------------


PILOT: Final = 10
"""How many rounds are played before it is known how much a player's games vary."""
SPREADS: Final = {
    "safe-cracker": 0.16,
    "digit-deductions": 0.22,
    "quantum-duel": 0.15,
    "safe-code": 0.18,
    "safecracker-duel": 0.17,
}
"""The standard deviation of a game's part in the score, of the bot that varies most.

It is that of a player from outside: the counted error of the table in docs/measure.md, times the
square root of the games, by the square root of the ratio without told draws.
"""
COUNTED: Final = 0.5
"""No results vary more, where they are only counted."""
GUESSED_SCORE: Final = 0.25
"""The score that is assumed of a player of whom nothing is known."""


def rounds_by_others(protocol: Protocol, precision: float) -> Protocol:
    """The protocol with as many rounds as others would need; a guess."""
    most = max(SPREADS.values())
    exact = protocol.against == CERTIFIED
    needed = {
        game.name: rounds_for(
            precision,
            [(GUESSED_SCORE, SPREADS.get(game.name, most) if exact else COUNTED)]
            * len(protocol.seats),
        )
        for game in protocol.games
    }
    return replace(protocol, rounds=max(needed.values()), rounds_at=needed)


def rounds_by_pilot(protocol: Protocol, precision: float, pilot: Measurement) -> Protocol:
    """The protocol with as many rounds as it takes if all games vary as the first ones did."""
    needed = {}
    for name, result in pilot.results.items():
        parts = [result.values_of(seat) for seat in protocol.seats]
        seen = [(float(part.mean()), float(part.std())) for part in parts]
        needed[name] = max(PILOT, rounds_for(precision, seen))
    return replace(protocol, rounds=max(needed.values()), rounds_at=needed)


def rounds_for(precision: float, seats: Sequence[tuple[float, float]]) -> int:
    """The fewest rounds whose interval is no wider than twice the precision.

    For each seat: the mean and the standard deviation of a game's part in the score.

    >>> rounds_for(0.02, [(0.25, 0.15), (0.25, 0.15)])
    139
    """
    scale = Scale([0.0] * len(seats), [1.0] * len(seats))

    def is_enough(rounds: int) -> bool:
        samples = [Sample(rounds, mean, spread**2) for mean, spread in seats]
        low, high = balance_seats(samples, scale).interval
        return high - low <= 2 * precision

    few, many = 1, 2
    while not is_enough(many):
        few, many = many, 2 * many
        if few > MOST_ROUNDS:
            told = f"A precision of {precision:g} needs more than {MOST_ROUNDS:,} rounds."
            raise Refusal(told, "Choose a larger one.")
    while many - few > 1:
        middle = (few + many) // 2
        few, many = (few, middle) if is_enough(middle) else (middle, many)
    return many


def games_text(protocol: Protocol) -> str:
    """How many games are played of each game, in words."""
    seats = len(protocol.seats)
    counts = [f"{seats * protocol.rounds_of(game):,} at {game.title}" for game in protocol.games]
    return join_names(counts)


class _Counts:
    """Plays like casual, where that can play, and notes how long each question would be."""

    def __init__(
        self, asked: list[int], style: Style, settings: Settings, game: Game, rng: Random
    ) -> None:
        self._asked, self._dialogue = asked, Dialogue(game, style)
        self._before = in_tokens(self._dialogue.opening) + _before(game, settings)
        self._is_kept = settings.conversation is Conversation.KEPT
        self._answer = _answer(style, settings)
        try:
            self._player = player("casual", game, rng)
        except Refusal:
            self._player = player("random", game, rng)

    def choose(self, view: View) -> Move:
        tokens = self._before + in_tokens(self._dialogue.ask(view))
        self._asked.append(tokens)
        if self._is_kept:
            self._before = tokens + self._answer
        return self._player.choose(view)


def _brief(count: int) -> str:
    """A number in thousands or millions, where it is large."""
    if count < 10_000:
        return f"{count:,}"
    return f"{count / 1000:,.0f}k" if count < 10_000_000 else f"{count / 1_000_000:,.1f}m"
