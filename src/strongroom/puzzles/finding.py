"""How puzzles are found: games against the certified player, and what their positions ask."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from itertools import count, islice
from random import Random
from typing import Final

from strongroom.contract import Game, Move, Refusal, Seat, View
from strongroom.players import Player, player
from strongroom.players.ideas import PlayerByIdeas, UnknownMixture
from strongroom.plugins.registry import GAMES, load
from strongroom.puzzles.odds import likeliest
from strongroom.puzzles.puzzle import RIGHT, Losses, Puzzle
from strongroom.puzzles.symmetry import symmetry_of
from strongroom.theory.shelf import solution_of
from strongroom.theory.worth import Unreachable

BOTS: Final = ("casual", "expert")
"""The bots by whose mistakes puzzles are graded, weakest first."""
WANDERERS: Final = ("random", "casual", "expert")
"""The bots whose games against the certified player lead to puzzles."""
SAMPLES: Final = 200
"""How many moves are drawn from a bot that does not tell its mixture."""
STEPS: Final = ((0.3, 0.6), (0.1, 0.6))
"""For each of these bots, how often it misses where a puzzle gets one more lamp."""
MISSED: Final = 0.1
"""A puzzle is one that a bot misses at least this often."""
CLEAR: Final = 0.01
"""Every wrong move costs at least this much."""
TEMPTING: Final = 0.03
"""The tempting move costs at least this much."""
EASY: Final = 2
"""The most lamps of a puzzle whose answer is the likeliest secret."""
RENAMINGS: Final = 20
"""How many sets of names are tried, because the certified player itself may prefer some names.

Of 240 puzzles of Digit Deductions, 3 keep their worth under only half of all names.
"""
TURNS: Final = 16
"""Games are looked at until this many turns have been made."""


def positions(game: Game, seed: str) -> Iterator[View]:
    """The views of a player who errs, at its decisions in a game against the certified player."""
    rng = Random(seed)
    seat = rng.choice([*Seat])
    wanderers = [player(name, game, rng) for name in WANDERERS]
    master, state = player("master", game, rng), game.start()
    while state.outcome is None and state.turns < TURNS:
        if not isinstance(state.actor, Seat):
            state = state.play(rng.choices(state.moves, state.odds)[0])
            continue
        view = state.view(state.actor)
        if state.actor is seat and not view.setting_up:
            yield view
        mover: Player = rng.choice(wanderers) if state.actor is seat else master
        state = state.play(mover.choose(view))


def worth_of(view: View) -> Mapping[Move, float] | None:
    """What each move wins if a best response follows it; None where that is not known."""
    assert isinstance(view.game, Game)
    try:
        return solution_of(view.game).worth.best_response(view)
    except Unreachable:
        return None


def puzzle_of(view: View) -> Puzzle | None:
    """The puzzle in a position, if one move is clearly right and a wrong one tempts."""
    worth = worth_of(view)
    if worth is None:
        return None
    best = max(worth.values())
    costs = {move: best - each for move, each in worth.items()}
    wrong = [cost for cost in costs.values() if cost > RIGHT]
    if not wrong or min(wrong) < CLEAR or max(wrong) < TEMPTING:
        return None
    alike = symmetry_of(view.game).alike
    if len({alike(view, move) for move, cost in costs.items() if cost <= RIGHT}) > 1:
        return None
    bots = tuple(losses(name, view, costs) for name in BOTS)
    wrongs = [
        (round(chance * costs[move], 9), bot.player, move)
        for bot in bots
        for move, chance in bot.moves.items()
        if bot.solved <= 1 - MISSED and costs[move] >= TEMPTING
    ]
    if not wrongs:
        return None
    _, tempted, tempting = max(wrongs, key=lambda each: each[0])
    found = Puzzle(view, worth, bots, tempting, tempted, lamps(bots))
    if found.odds is not None and likeliest(found.odds) == {*found.best}:
        return replace(found, lamps=min(found.lamps, EASY))  # no bot looks at the odds
    return found


def renamed(puzzle: Puzzle, rng: Random) -> Puzzle:
    """The same puzzle under other names, drawn at random; its costs are computed afresh.

    Names that change the worth are drawn again; if all of them do, the puzzle keeps its own.
    """
    for _ in range(RENAMINGS):
        view, move = symmetry_of(puzzle.view.game).renamed(puzzle.view, rng)
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
    """What a bot loses in a position: by its mixture, or by what it does in many tries."""
    assert isinstance(view.game, Game)
    seated = player(name, view.game, Random(name))
    assert isinstance(seated, PlayerByIdeas)
    try:
        moves = {move: float(chance) for move, chance in seated.policy(view).items()}
    except UnknownMixture:
        tries = Counter(seated.choose(view) for _ in range(SAMPLES))
        moves = {move: times / SAMPLES for move, times in tries.items()}
    cost = sum(chance * costs[move] for move, chance in moves.items())
    solved = sum(chance for move, chance in moves.items() if costs[move] <= RIGHT)
    return Losses(name, moves, cost, solved)


def lamps(bots: Sequence[Losses]) -> int:
    """How difficult a puzzle is, from 1 to 5: how often these bots miss."""
    missed = (round(1 - each.solved, 9) for each in bots)
    return 1 + sum(
        share >= step for share, steps in zip(missed, STEPS, strict=True) for step in steps
    )


# --- sets of puzzles ----------------------------------------------------------------------------

BARREN: Final = 300
"""After this many games in a row without a new puzzle, a game has no more."""


def puzzles(seed: int | str, games: Sequence[Game] | None = None) -> Iterator[Puzzle]:
    """Puzzles of some games, by turns, in an order that the seed decides; no two are alike.

    It ends when no game has a new one any more.
    """
    sources = [puzzles_of(game, seed) for game in games or every_game()]
    while sources:
        for source in [*sources]:
            found = next(source, None)
            if found is None:
                sources.remove(source)
            else:
                yield found


def puzzles_of(game: Game, seed: int | str) -> Iterator[Puzzle]:
    """Puzzles of one game."""
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


# --- today's ------------------------------------------------------------------------------------

WEEK: Final = (1, 2, 3, 3, 4, 4, 5)
"""How many lamps the puzzle of a day should have, from Monday on."""
COMPARED: Final = 6
"""From how many puzzles that of a day is chosen."""


def todays(day: date, game: Game | None = None) -> Puzzle:
    """The puzzle of a day, the same for everybody: another game every day, harder over the week.

    With a game, it is that game's puzzle of the day.
    """
    games = every_game()
    game = game or games[day.toordinal() % len(games)]
    wanted, nearest = WEEK[day.weekday()], None
    for found in islice(puzzles_of(game, day.isoformat()), COMPARED):
        if found.lamps == wanted:
            return replace(found, day=day)
        if nearest is None or abs(found.lamps - wanted) < abs(nearest.lamps - wanted):
            nearest = found
    if nearest is None:
        raise Refusal(f"There are no puzzles of {game.title}.", "Choose another game.")
    return replace(nearest, day=day)


def every_game() -> list[Game]:
    """The games that puzzles are made of, unless others are asked for."""
    return [load(name) for name in GAMES]
