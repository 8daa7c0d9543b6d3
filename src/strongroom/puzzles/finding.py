"""How puzzles are found: games against the certified player, and what their positions ask."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from functools import partial
from itertools import chain, count, islice
from random import Random
from typing import Any, Final
from zlib import crc32

from strongroom.contract import Game, Move, Refusal, Seat, View
from strongroom.players import CERTIFIED, Player, player
from strongroom.plugins.registry import load
from strongroom.puzzles.puzzle import (
    CASUAL,
    LADDER,
    RIGHT,
    Losses,
    Puzzle,
    asks_yes_or_no,
    bot,
    misses,
    rules_of,
    share_right,
)
from strongroom.puzzles.symmetry import symmetry_of
from strongroom.puzzles.week import WEEK
from strongroom.theory.shelf import solution_of
from strongroom.theory.worth import Unreachable, costs_of

BOTS: Final = (CASUAL, "expert")
"""The bots whose losses are told with a puzzle, weakest first."""
WANDERERS: Final = ("random", "casual", "expert")
"""The bots whose mistakes lead to puzzles."""
CLEAR: Final = 0.01
"""Every wrong move costs at least this much."""
FEW: Final = 1 / 3
"""At most this share of the moves is right, unless it is a single one."""
TEMPTING: Final = 0.02
"""The tempting move costs at least this much."""
RENAMINGS: Final = 20
"""How many sets of names are tried, because the certified player itself may prefer some names.

Of 240 puzzles of Digit Deductions, 3 keep their worth under only half of all names.
"""
TURNS: Final = 16
"""Games are looked at until this many turns have been made."""


def positions(game: Game, seed: str) -> Iterator[View]:
    """The views of a player who errs, at its decisions in a game against the certified player.

    Where nothing is hidden, it does not matter how a position came about: there both may err.
    """
    rng = Random(seed)
    seat = rng.choice([*Seat])
    wanderers = [player(name, game, rng) for name in WANDERERS]
    hides = game.candidates(seat) is not None
    others = [player(CERTIFIED, game, rng)] if hides else wanderers
    state = game.start()
    while state.outcome is None and state.turns < TURNS:
        if not isinstance(state.actor, Seat):
            state = state.play(rng.choices(state.moves, state.odds)[0])
            continue
        view = state.view(state.actor)
        if state.actor is seat and not view.setting_up:
            yield view
        mover: Player = rng.choice(wanderers if state.actor is seat else others)
        state = state.play(mover.choose(view))


def worth_of(view: View) -> Mapping[Move, float] | None:
    """What each move wins if a best response follows it; None where that is not known."""
    assert isinstance(view.game, Game)
    try:
        return solution_of(view.game).worth.best_response(view)
    except Unreachable:
        return None


def puzzle_of(view: View) -> Puzzle | None:
    """The puzzle in a position, if one idea is clearly right and every simple player misses it."""
    worth = worth_of(view)
    if worth is None:
        return None
    assert isinstance(view.game, Game)
    costs = costs_of(worth)
    wrong = [cost for cost in costs.values() if cost > RIGHT]
    if not wrong or min(wrong) < CLEAR or max(wrong) < TEMPTING:
        return None
    if len(costs) - len(wrong) > max(1, FEW * len(costs)):
        return None
    if not all(misses(rule, view, costs) for rule in rules_of(view.game).values()):
        return None
    if not misses(partial(bot, CASUAL), view, costs):
        return None
    idea = symmetry_of(view.game).idea
    if len({idea(view, move) for move, cost in costs.items() if cost <= RIGHT}) > 1:
        return None
    bots = tuple(losses(name, view, costs) for name in BOTS)
    wrongs = [
        (round(chance * costs[move], 9), each.player, move)
        for each in bots
        for move, chance in each.moves.items()
        if costs[move] >= TEMPTING
    ]
    if not wrongs:
        return None
    _, tempted, tempting = max(wrongs, key=lambda each: each[0])
    missed = tuple(name for name, rung in LADDER.items() if misses(rung, view, costs))
    return Puzzle(view, worth, bots, tempting, tempted, missed)


def rename(puzzle: Puzzle, rng: Random) -> Puzzle:
    """The same puzzle under other names, drawn at random; its costs are computed afresh.

    Names that change the worth are drawn again; if all of them do, the puzzle keeps its own.
    """
    for _ in range(RENAMINGS):
        view, move = symmetry_of(puzzle.view.game).rename(puzzle.view, rng)
        worth = worth_of(view)
        if worth is not None and all(
            abs(worth[move(each)] - value) <= RIGHT for each, value in puzzle.worth.items()
        ):
            bots = tuple(
                replace(bot, moves={move(each): chance for each, chance in bot.moves.items()})
                for bot in puzzle.bots
            )
            tempting = move(puzzle.tempting)
            return replace(puzzle, view=view, worth=worth, bots=bots, tempting=tempting)
    return puzzle


def losses(name: str, view: View, costs: Mapping[Move, float]) -> Losses:
    """What a bot loses in a position."""
    moves = bot(name, view)
    cost = sum(chance * costs[move] for move, chance in moves.items())
    return Losses(name, moves, cost, share_right(lambda _: moves, view, costs))


# --- sets of puzzles ----------------------------------------------------------------------------

BARREN: Final = 300
"""After this many games in a row without a new puzzle, a game has no more."""
SOURCES: Final[Mapping[str, Sequence[Mapping[str, Any]]]] = {
    "quantum-duel": ({},),
    "safe-cracker": (
        {},
        {"digits": 4},
        {"digits": 5},
        {"length": 4},
        {"digits": 4, "length": 4},
    ),
    "digit-deductions": ({},),
}
"""The games that puzzles are made of, unless others are asked for, each with its variations.

The others have next to none: in Safe Code any number that is left is right, in Safecracker Duel
nearly always the turn that undoes the last one.
"""


def puzzles(seed: int | str, games: Sequence[Game] | None = None) -> Iterator[Puzzle]:
    """Puzzles of some games, by turns, in an order that the seed decides; no two have one idea.

    A game with its usual options stands for its variations as well. It ends when no game has a
    new one any more.
    """
    games = [load(name) for name in SOURCES] if games is None else games
    return _by_turns(
        [_by_turns([puzzles_of(each, seed) for each in variations(game)]) for game in games]
    )


def variations(game: Game) -> Sequence[Game]:
    """The games that a game stands for: with its usual options, its variations as well."""
    if game.name not in SOURCES or game != load(game.name):
        return [game]
    return [load(game.name, **each) for each in SOURCES[game.name]]


def _by_turns(sources: Sequence[Iterator[Puzzle]]) -> Iterator[Puzzle]:
    left = [*sources]
    while left:
        for source in [*left]:
            found = next(source, None)
            if found is None:
                left.remove(source)
            else:
                yield found


def puzzles_of(game: Game, seed: int | str) -> Iterator[Puzzle]:
    """Puzzles of one game with these options, of which no two have the same idea.

    A question with two answers comes in pairs, so that either answer is right as often.
    """
    ideas, waiting = set[Hashable](), dict[Move, list[Puzzle]]()
    for found in _unlike(game, seed):
        if (idea := idea_of(found)) in ideas:
            continue
        ideas.add(idea)
        if not asks_yes_or_no(found.view):
            yield found
            continue
        waiting.setdefault(found.best[0], []).append(found)
        pair = [waiting.get(move, []) for move in found.view.moves]
        if all(pair):
            yield from (each.pop(0) for each in pair)


def _unlike(game: Game, seed: int | str) -> Iterator[Puzzle]:
    """The puzzles in games from a seed, of which no two are alike."""
    key, seen, barren = symmetry_of(game).key, set[Hashable](), 0
    for number in count():
        barren += 1
        for view in positions(game, f"game {number} of the puzzles of {seed} at {game!r}"):
            if (at := key(view)) in seen:
                continue
            seen.add(at)
            if (found := puzzle_of(view)) is not None:
                barren = 0
                yield found
        if barren == BARREN:
            return


def idea_of(puzzle: Puzzle) -> Hashable:
    """What speaks for the right move, the same in puzzles that ask the same thing."""
    return symmetry_of(puzzle.game).idea(puzzle.view, puzzle.best[0])


# --- today's ------------------------------------------------------------------------------------


SINGULAR: Final = 4
"""At most this many moves are right in the puzzle of a day."""
COSTLY: Final = 0.05
"""The tempting move costs at least this much in the puzzle of a day."""
NEARBY: Final = 3
"""So many puzzles of a game in a row, day after day, have different ideas."""
COMPARED: Final = 6
"""From how many puzzles that of a day is chosen, if the game is."""


def todays(day: date, game: Game | None = None) -> Puzzle:
    """The puzzle of a day, the same for everybody: harder from day to day over the week.

    With a game, it is that game's puzzle of the day: of those that suit a day, if there are any,
    the one nearest in difficulty.
    """
    wanted = WEEK[day.weekday()].difficulty
    found = _of_the_week(day) if game is None else _nearest(day, game, wanted)
    return replace(found, day=day)


def _of_the_week(day: date) -> Puzzle:
    """A puzzle as the week has it, with an idea that is none of those of nearby days.

    All ideas are divided into parts, by a hash, and the days of a game take turns at them.
    """
    slot = WEEK[day.weekday()]
    days = [weekday for weekday, each in enumerate(WEEK) if each.game == slot.game]
    weeks = (day.toordinal() - 1) // len(WEEK)  # the first day of all was a Monday
    part = (weeks * len(days) + days.index(day.weekday())) % NEARBY
    fitting = (
        found
        for found in _unlike(load(slot.game, **slot.options), day.isoformat())
        if found.difficulty == slot.difficulty and _suits_a_day(found)
    )
    first = next(fitting, None)
    assert first is not None
    return next((found for found in chain([first], fitting) if _part(found) == part), first)


def _suits_a_day(puzzle: Puzzle) -> bool:
    """Whether few moves are right, the tempting one costs much, and it is no yes/no question.

    The answer to those would soon be known, because "no" is seldom right.
    """
    few, costly = len(puzzle.best) <= SINGULAR, puzzle.costs[puzzle.tempting] >= COSTLY
    return few and costly and not asks_yes_or_no(puzzle.view)


def _part(puzzle: Puzzle) -> int:
    """The part, from 0 to `NEARBY - 1`, of a puzzle's idea: all ideas are dealt into parts by hash.

    Puzzles of different parts have different ideas.
    """
    return crc32(repr(idea_of(puzzle)).encode()) % NEARBY


def _nearest(day: date, game: Game, difficulty: int) -> Puzzle:
    """The puzzle of a game, among the first few, that suits a day and is nearest in difficulty."""
    some = [*islice(puzzles(day.isoformat(), [game]), COMPARED)]
    if not some:
        raise Refusal(f"There are no puzzles of {game.title}.", "Choose another game.")
    return min(some, key=lambda each: (not _suits_a_day(each), abs(each.difficulty - difficulty)))
