"""Safe Cracker solved: the default game exactly, its variations by the race strategy with bounds.

The strategy hides evenly, never looks at the own code, takes a guess that is best in the race
(see `candidate_sets`) and draws it evenly among all guesses that look alike. In the default game
one set of five codes has two types; there the opponent, who knows its own type, is answered by
mixtures from a linear programme, and both guarantees meet at the value of the race, 163/243.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from strongroom.game import Move, Seat, View
from strongroom.games.safe_cracker import SafeCracker, SafeCrackerOptions
from strongroom.theory import NoTheory, Report
from strongroom.theory.candidate_sets import (
    Chart,
    Flat,
    Ints,
    count_race,
    exploited,
    forms,
    space_of,
)

Table = dict[str, NDArray[np.generic]]
Memory = tuple[int, ...]
Mixture = dict[int, Fraction]
Row = defaultdict[int, float]


def _optimal(chart: Chart, won: Ints, x: int, y: int) -> list[int]:
    """The actions at node `x` against node `y` that are best in the race."""
    node, size, sort = chart.nodes[x], len(chart.nodes[y].rows), [n.sort for n in chart.nodes]
    values = [
        (action.hit >= 0) * size
        + sum(len(cell.names) * size - won[y, sort[cell.node]] for cell in action.cells)
        for action in node.actions
    ]
    return [k for k, value in enumerate(values) if value == max(values)]


def _defend(chart: Chart, won: Ints, x0: int, y0: int) -> dict[Memory, Mixture]:
    """How to go on from node `x0` of several types while the opponent, at `y0`, knows its type.

    A sequence-form programme: the guesser sees only what is public, the opponent also its type,
    and where the types are alike again the race's value is paid.
    """
    from scipy.optimize import linprog  # type: ignore[import-untyped]
    from scipy.sparse import dok_array  # type: ignore[import-untyped]

    nodes, goes = chart.nodes, chart.goes
    plans: dict[Memory, tuple[int, dict[int, int]]] = {}
    rows: list[Row] = []
    count = 1  # variable 0 is the certain plan of having come here

    def opponent(x: int, y: int, kind: int, chance: float, plan: int, memory: Memory) -> int:
        nonlocal count
        value, count = count, count + 1
        size = len(nodes[y].rows)
        for action in (*nodes[y].actions, None):
            row: Row = defaultdict(float, {value: -1.0})
            if action is None:  # a guess that tells nothing
                guesser(row, x, y, kind, chance, plan, (*memory, y))
            else:
                row[plan] += chance / size * (action.hit >= 0)
                for cell in action.cells:
                    there, share = nodes[cell.node].sort, chance * len(cell.names) / size
                    guesser(row, x, there, kind, share, plan, (*memory, there))
            rows.append(row)
        return value

    def guesser(
        row: defaultdict[int, float],
        x: int,
        y: int,
        kind: int,
        chance: float,
        plan: int,
        memory: Memory,
    ) -> None:
        nonlocal count
        if memory not in plans:
            best = _optimal(chart, won, x, y)
            plans[memory] = plan, {k: count + i for i, k in enumerate(best)}
            count += len(best)
        for k, variable in plans[memory][1].items():
            for (c, now), share in goes(nodes[x], nodes[x].actions[k])[kind].items():
                weight = chance * float(share)
                if len(nodes[c].sizes) > 1:
                    row[opponent(c, y, now, weight, variable, (*memory, k, c))] += 1.0
                else:
                    pairs = len(nodes[y].rows) * len(nodes[c].rows)
                    row[variable] += weight * won[y, nodes[c].sort] / pairs

    total = len(nodes[x0].rows)
    roots = [
        opponent(x0, y0, kind, size / total, 0, (x0, y0))
        for kind, size in enumerate(nodes[x0].sizes)
    ]
    upper, equal = dok_array((len(rows), count)), dok_array((len(plans) + 1, count))
    for i, row in enumerate(rows):
        for j, number in row.items():
            upper[i, j] = number
    for i, (plan, variables) in enumerate(plans.values()):
        equal[i, plan] = -1.0
        for j in variables.values():
            equal[i, j] = 1.0
    equal[len(plans), 0] = 1.0
    right, cost = np.zeros(len(plans) + 1), np.zeros(count)
    right[-1] = cost[roots] = 1.0
    solution = linprog(cost, upper.tocsr(), np.zeros(len(rows)), equal.tocsr(), right).x
    defence: dict[Memory, Mixture] = {}
    for memory, (plan, variables) in plans.items():
        if solution[plan] > 1e-9:
            shares = {k: solution[j] / solution[plan] for k, j in variables.items()}
            exact = {k: Fraction(share).limit_denominator(500) for k, share in shares.items()}
            defence[memory] = {k: share for k, share in exact.items() if share}
            assert sum(exact.values()) == 1
    return defence


def solve(game: SafeCracker, report: Report) -> Table:
    """The table of the strategy for both seats, from nothing: exact for the default game."""
    _unlimited(game)
    options = game.options
    exact = options == SafeCrackerOptions()
    chart, flat, won = _solved(options.digits, options.length, report)
    choice, _, _ = exploited(chart, flat, won, None, lambda d, w: report(0.7 + 0.3 * d, w))
    defence: dict[Memory, Mixture] = {}
    if exact:
        chart = Chart(space_of(options.digits, options.length), colour=True)
        several = [x for x in range(chart.plain) if len(chart.nodes[x].sizes) > 1]
        for x in several:
            for y in range(chart.plain):
                if len(chart.nodes[y].rows) > 1:
                    defence |= _defend(chart, won, x, y)
    return _pack(chart, won, choice, defence)


def _unlimited(game: SafeCracker) -> None:
    if game.attempts is not None:
        raise NoTheory("Safe Cracker with limited attempts is not solved.")


_KEPT: dict[tuple[int, int], tuple[Chart, Flat, Ints]] = {}


def _solved(digits: int, length: int, report: Report) -> tuple[Chart, Flat, Ints]:
    """The chart and its race; the last is kept, so that a check right after need not redraw it."""
    if (digits, length) not in _KEPT:
        chart = Chart(space_of(digits, length), False, lambda d, w: report(0.65 * d, w))
        flat = Flat(chart)
        _KEPT.clear()
        _KEPT[digits, length] = chart, flat, count_race(flat)
    return _KEPT[digits, length]


def _pack(chart: Chart, won: Ints, choice: Ints, defence: dict[Memory, Mixture]) -> Table:
    options, keys = chart.space.game.options, list(chart.ids)
    wide = max(map(len, defence), default=1)
    memories = [(*memory, *[-1] * (wide - len(memory))) for memory in defence]
    acts = max((len(node.actions) for node in chart.nodes), default=1)
    over, under = (np.zeros((len(defence), acts), np.int32) for _ in range(2))
    for i, mixture in enumerate(defence.values()):
        for k, share in mixture.items():
            over[i, k], under[i, k] = share.numerator, share.denominator
    return {
        "options": np.array([options.digits, options.length, chart.colour]),
        "keys": np.frombuffer(b"".join(keys), np.uint8),
        "ends": np.cumsum([len(key) for key in keys]),
        "types": np.array([node.types for node in chart.nodes], np.int16),
        "orbits": np.array([node.orbit for node in chart.nodes], np.int16),
        "race": won[:-1, :-1].astype(np.int32),
        "choice": choice.astype(np.int16),
        "memories": np.array(memories, np.int16).reshape(len(defence), wide),
        "numerators": over,
        "denominators": under,
    }


def race(game: SafeCracker, report: Report) -> Fraction:
    """The win probability of Seat.ONE if both hide evenly, guess best, and ignore the own code."""
    _unlimited(game)
    won = _solved(game.options.digits, game.options.length, report)[2]
    return Fraction(int(won[0, 0]), len(game.actions) ** 2)


class Mind(NamedTuple):
    """All that the strategy goes by: both sets of codes, old types, and what was played since."""

    own: tuple[int, ...]
    """What the opponent's code can be."""
    other: tuple[int, ...]
    """What the opponent can think that the player's code is."""
    hues: tuple[int, ...]
    memory: Memory | None = None


class Player:
    """The strategy of a table, for either seat."""

    def __init__(self, table: Table) -> None:
        self.table = table
        digits, length, self.coloured = (int(n) for n in table["options"])
        self.space = space_of(digits, length)
        text, ends = table["keys"].tobytes(), [0, *table["ends"].tolist()]
        self.ids = {text[a:b]: i for i, (a, b) in enumerate(pairwise(ends))}
        self.several = table["types"].max(axis=1) > 0
        self.mixtures: dict[Memory, Mixture] = {}
        for memory, over, under in zip(
            table["memories"].tolist(), table["numerators"], table["denominators"], strict=True
        ):
            mixture = {int(k): Fraction(int(over[k]), int(under[k])) for k in np.flatnonzero(over)}
            self.mixtures[tuple(n for n in memory if n >= 0)] = mixture
        self.places: dict[tuple[tuple[int, ...], tuple[int, ...]], tuple[int, Ints]] = {}

    @property
    def start(self) -> Mind:
        """Before anything was guessed."""
        everything = tuple(range(len(self.space.digits)))
        return Mind(everything, everything, (1,) * len(everything))

    def place(self, codes: tuple[int, ...], hues: tuple[int, ...] = ()) -> tuple[int, Ints]:
        """The node of a set of codes, and what every code is called there."""
        hues = hues or (1,) * len(codes)
        if (codes, hues) not in self.places:
            form = forms(self.space, np.array(codes), np.array([hues]))[0]
            self.places[codes, hues] = self.ids[form.key], form.rename(self.space)
        return self.places[codes, hues]

    def kept(self, codes: tuple[int, ...], guess: int, answer: int) -> tuple[int, ...]:
        """The codes for which the guess would get the answer."""
        line = self.space.answers[guess]
        return tuple(code for code in codes if line[code] == answer)

    def heard(self, mind: Mind, guess: int, answer: int) -> Mind:
        """After the opponent's guess."""
        other = self.kept(mind.other, guess, answer)
        memory = mind.memory and (*mind.memory, self.place(other)[0])
        return mind._replace(other=other, memory=memory)

    def guessed(self, mind: Mind, guess: int, answer: int) -> Mind:
        """After the player's own guess."""
        own = self.kept(mind.own, guess, answer)
        if len(own) == len(mind.own):
            return mind._replace(memory=mind.memory and (-1,))  # nobody planned that
        x, names = self.place(mind.own, mind.hues)
        hues: tuple[int, ...] = (1,) * len(own)
        memory: Memory | None = None
        if self.coloured and self.several[x]:
            types = self.table["types"][x, names[list(own)]]
            if len(set(types.tolist())) > 1:
                hues = tuple((types + 1).tolist())
        there = self.place(own, hues)[0]
        if self.coloured and self.several[there]:
            action = int(self.table["orbits"][x, names[guess]])
            memory = (there, self.place(mind.other)[0])
            if mind.memory is not None:
                memory = (*mind.memory, action, there)
        return Mind(own, mind.other, hues, memory)

    def draw(self, mind: Mind) -> dict[int, Fraction]:
        """With what probability each code is guessed: evenly among those that look alike."""
        mixture = self.mixtures.get(mind.memory) if mind.memory else None
        x, names = self.place(mind.own, mind.hues if mixture else ())
        if mixture is None:
            y = self.place(mind.other)[0]
            mixture = {int(self.table["choice"][x, y]): Fraction(1)}
        orbit = self.table["orbits"][x, names]
        return {
            int(guess): share / int((orbit == k).sum())
            for k, share in mixture.items()
            for guess in np.flatnonzero(orbit == k)
        }

    def follow(self, view: View) -> Mind:
        """The mind of the view's seat after the view's history."""
        mind = self.start
        for event in view.history:
            guess = view.game.actions.index(event.move)
            assert isinstance(event.answer, int)
            step = self.guessed if event.actor is view.seat else self.heard
            mind = step(mind, guess, event.answer)
        return mind


_PLAYERS: dict[int, Player] = {}


def _player(table: Table) -> Player:
    player = _PLAYERS.get(id(table))
    if player is None or player.table is not table:
        player = _PLAYERS[id(table)] = Player(table)
    return player


def certify(game: SafeCracker, table: Table, report: Report) -> tuple[Fraction | float, ...]:
    """What the table's strategy guarantees in either seat, as bounds of the value of Seat.ONE.

    For the default game a best response over the real sets of codes, in fractions; for the
    variations over the sets up to symmetry, in floats.
    """
    _unlimited(game)
    if not int(table["options"][2]):
        chart, flat, won = _solved(game.options.digits, game.options.length, report)
        choice = table["choice"].astype(np.int64)
        return exploited(chart, flat, won, choice, lambda d, w: report(0.65 + 0.35 * d, w))[1:]
    from strongroom.theory.safe_cracker_proof import Response

    response = Response(_player(table))
    upper = response.wins(Seat.ONE)
    report(0.5, "a full best response against Seat.TWO")
    lower = 1 - response.wins(Seat.TWO)
    report(1.0, "full best responses against both seats")
    return lower, upper


def policy(table: Table, view: View) -> dict[Move, Fraction]:
    """The probabilities with which the certified player chooses its code or its next guess."""
    moves = view.game.actions
    if view.setting_up:
        return dict.fromkeys(moves, Fraction(1, len(moves)))
    player = _player(table)
    return {moves[guess]: share for guess, share in player.draw(player.follow(view)).items()}


def values(table: Table, view: View) -> dict[Move, float]:
    """The win probability of the view's actor after each move, by the race.

    It assumes that every remaining code of the opponent is as likely as any other (so it is if the
    opponent is the certified player) and that both go on as best they can without using what they
    know of their own code.
    """
    player, moves = _player(table), view.game.actions
    won, total = table["race"], len(moves) ** 2
    if view.setting_up:
        first = int(won[0, 0]) / total
        assert view.seat is not None
        return dict.fromkeys(moves, 1 - first if view.seat.index else first)
    mind = player.follow(view)
    (x, names), (y, _) = player.place(mind.own), player.place(mind.other)
    pairs = len(mind.own) * len(mind.other)
    worth: dict[int, float] = {-1: 1 - float(won[y, x]) / pairs}
    orbit = table["orbits"][x, names].tolist()
    for guess, k in enumerate(orbit):
        if k not in worth:
            counts = Counter(player.space.answers[guess][list(mind.own)].tolist())
            wins = counts.pop(player.space.game.options.length, 0) * len(mind.other)
            for answer, count in counts.items():
                c = player.place(player.kept(mind.own, guess, answer))[0]
                wins += count * len(mind.other) - int(won[y, c])
            worth[k] = wins / pairs
    return {move: worth[k] for move, k in zip(moves, orbit, strict=True)}


def why(table: Table, view: View, move: Move) -> str:
    """One sentence on what a move does, for a hint."""
    if view.setting_up:
        return "no code is harder to find than another, so draw it blindly"
    player = _player(table)
    mind, guess = player.follow(view), view.game.actions.index(move)
    size = len(mind.own)
    counts = Counter(player.space.answers[guess][list(mind.own)].tolist())
    if size == 1:
        return "is the only code left" if guess in mind.own else "cannot be the code"
    if len(counts) == 1:
        return f"tells nothing about the {size} remaining codes"
    if len(mind.other) == 1 and guess in mind.own:
        return f"has 1 chance in {size}, and there will be no other: your code is known"
    split = "/".join(str(counts[answer]) for answer in sorted(counts))
    ending = ", and may be the code itself" if guess in mind.own else ""
    return f"splits the {size} remaining codes {split}{ending}"
