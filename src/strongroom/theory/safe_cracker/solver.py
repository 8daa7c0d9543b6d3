"""How the strategy of Safe Cracker was found: the race, then mixtures where types differ.

In the default game one set of five codes has two types; there mixtures from linear programmes
answer the opponent, who knows its own type. The variations do without them and take the race
strategy that such an opponent exploits least.
"""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from typing import Final

import numpy as np

from strongroom.games.safe_cracker.rules import SafeCracker, SafeCrackerOptions
from strongroom.theory.safe_cracker.player import Memory, Mixture
from strongroom.theory.safe_cracker.race import Chart, CodeRace, race_of
from strongroom.theory.safe_cracker.worth import Response
from strongroom.theory.solution import Floats, Ints, Report, Table
from strongroom.theory.solvers.linear_programmes import Expr, LinearProgramme

RACE: Final = ("options", "keys", "ends", "orbits", "cells", "choice")
"""The arrays that a strategy of one action per pair of nodes needs."""


def find_table(game: SafeCracker, report: Report) -> Table:
    """The table of the strategy for both seats, from scratch: exact for the default game."""
    options = game.options
    race = race_of(options.digits, options.length)
    chart = race.draw(lambda done, words: report(0.65 * done, words))
    choice = least_exploited(race, lambda done, words: report(0.7 + 0.3 * done, words))
    defence: dict[Memory, Mixture] = {}
    if options == SafeCrackerOptions():
        chart = Chart(race.space, colour=True)
        several = [x for x in range(chart.plain) if len(chart.nodes[x].sizes) > 1]
        for x in several:
            for y in range(chart.plain):
                if len(chart.nodes[y].rows) > 1:
                    defence |= Defence(chart, race.winning_pairs, x, y).mixtures()
    return _pack(chart, race.winning_pairs, choice, defence)


class TypeResponse(Response):
    """The best response of a player who knows the type of its own code in the chart.

    It meets the strategy's nodes one by one, the smallest sets first.
    """

    def __init__(self, race: CodeRace) -> None:
        super().__init__(race.actions)
        self.chart: Chart = race.chart
        self.to_move: dict[int, Floats] = {}
        """What the responder to move wins, by the strategy's node: [its own node, its type]."""

    def meet(self, x: int, turn: Floats) -> None:
        """Respond to the strategy at its node `x`, given what is won when it is to move."""
        self.to_move[x] = self.best(turn)

    def wins_after(self, x: int, actions: Ints) -> Floats:
        """What the responder wins after each of these actions: [action, its own node, its type]."""
        node = self.chart.nodes[x]
        wins = np.zeros((len(node.actions), self.count, len(node.sizes)))
        for k in actions:
            for kind, chances in enumerate(self.chart.goes(node, node.actions[k])):
                for (c, now), chance in chances.items():
                    wins[k, :, kind] += float(chance) * self.to_move[c][:, now]
        return wins


def least_exploited(race: CodeRace, report: Report) -> Ints:
    """For each pair of nodes, the optimal action in the race that a responder exploits least.

    The responder knows the type of its own code. Ties go to the action that leaves the most to win
    when the opponent's next guess is drawn at random.
    """
    chart, actions, won, size = race.chart, race.actions, race.winning_pairs, race.actions.size
    response, slack = TypeResponse(race), _slack(race)
    chosen = np.zeros((chart.plain, chart.plain), np.int64)
    for done, x in enumerate(actions.order, 1):
        node = chart.nodes[x]
        cells = [[cell.node for cell in action.cells] for action in node.actions]
        hits = np.array([action.hit >= 0 for action in node.actions])
        kept = [size[c].sum() * size[:-1] - won[:-1, c].sum(1) for c in cells]
        best = hits[:, None] * size[:-1] + np.array(kept) == won[x, :-1]
        wins = response.wins_after(x, np.flatnonzero(best.any(1)))
        mean = np.where(best, wins @ (np.array(node.sizes) / size[x]), np.inf)
        equal = mean <= mean.min(0) + 1e-12
        spare = np.array([slack[c, :-1].sum(0) for c in cells])
        chosen[x] = np.where(equal, spare, -1).argmax(0)
        response.meet(x, wins[chosen[x], np.arange(chart.plain)])
        report(done / chart.plain, "looking for what is exploited least")
    return chosen


def _slack(race: CodeRace) -> Ints:
    """What is won at a node, summed over all guesses of the opponent: [own node, opponent's]."""
    actions, won = race.actions, race.winning_pairs
    slack = np.zeros_like(won)
    for i, y in enumerate(actions.order):
        weight, idle = actions.weight[actions.part(i)], len(race.space.digits)
        slack[:, y] = won[:, actions.cells[actions.part(i)]].sum(2) @ weight
        slack[:, y] += (idle - weight.sum()) * won[:, y]
    return slack


class Defence:
    """How to play on from a node of several types while the opponent knows its own type.

    A sequence-form programme: the guesser sees only what is public, the opponent also its type.
    Where the types are alike again, the payoff is the race's value.
    """

    def __init__(self, chart: Chart, won: Ints, x: int, y: int) -> None:
        self.chart, self.won = chart, won
        self.programme = LinearProgramme()
        self.plans: dict[Memory, tuple[int, dict[int, int]]] = {}
        """By public history, the unknown for reaching it and the unknown for each action there."""
        self.certain = self.programme.new()
        total = len(chart.nodes[x].rows)
        self.roots = [
            self._opponent(x, y, kind, size / total, self.certain, (x, y))
            for kind, size in enumerate(chart.nodes[x].sizes)
        ]

    def mixtures(self) -> dict[Memory, Mixture]:
        """The mixtures that leave the opponent the least, wherever the plan can lead."""
        for plan, actions in self.plans.values():
            self.programme.equals(0.0, {plan: -1.0, **dict.fromkeys(actions.values(), 1.0)})
        self.programme.equals(1.0, {self.certain: 1.0})
        chance = self.programme.maximise(dict.fromkeys(self.roots, -1.0)).values
        defence: dict[Memory, Mixture] = {}
        for memory, (plan, actions) in self.plans.items():
            if chance[plan] > 1e-9:
                shares = {k: chance[then] / chance[plan] for k, then in actions.items()}
                exact = {k: Fraction(share).limit_denominator(500) for k, share in shares.items()}
                defence[memory] = {k: share for k, share in exact.items() if share}
                assert sum(exact.values()) == 1
        return defence

    def _opponent(self, x: int, y: int, kind: int, chance: float, plan: int, memory: Memory) -> int:
        """An unknown that is at least what the opponent, to move, wins with any guess."""
        nodes, value = self.chart.nodes, self.programme.new()
        size = len(nodes[y].rows)
        for action in (*nodes[y].actions, None):
            row: Expr = defaultdict(float, {value: -1.0})
            if action is None:  # a guess that tells nothing
                self._guesser(row, x, y, kind, chance, plan, (*memory, y))
            else:
                if action.hit >= 0:
                    row[plan] += chance / size
                for cell in action.cells:
                    there, share = nodes[cell.node].sort, chance * len(cell.names) / size
                    self._guesser(row, x, there, kind, share, plan, (*memory, there))
            self.programme.at_most(0.0, row)
        return value

    def _guesser(
        self, row: Expr, x: int, y: int, kind: int, chance: float, plan: int, memory: Memory
    ) -> None:
        """Add to a row what the opponent of this type wins while the guesser is to move."""
        nodes = self.chart.nodes
        if memory not in self.plans:
            best = self._optimal(x, y)
            self.plans[memory] = plan, {k: self.programme.new() for k in best}
        for k, then in self.plans[memory][1].items():
            for (c, now), share in self.chart.goes(nodes[x], nodes[x].actions[k])[kind].items():
                weight = chance * float(share)
                if len(nodes[c].sizes) > 1:
                    row[self._opponent(c, y, now, weight, then, (*memory, k, c))] += 1.0
                else:
                    pairs = len(nodes[y].rows) * len(nodes[c].rows)
                    row[then] += weight * self.won[y, nodes[c].sort] / pairs

    def _optimal(self, x: int, y: int) -> list[int]:
        """The actions at node `x` against node `y` that are best in the race."""
        nodes, won, size = self.chart.nodes, self.won, len(self.chart.nodes[y].rows)
        values = [
            (action.hit >= 0) * size
            + sum(len(cell.names) * size - won[y, nodes[cell.node].sort] for cell in action.cells)
            for action in nodes[x].actions
        ]
        return [k for k, value in enumerate(values) if value == max(values)]


def _pack(chart: Chart, won: Ints, choice: Ints, defence: dict[Memory, Mixture]) -> Table:
    options, keys = chart.space.game.options, list(chart.ids)
    wide = max(map(len, defence), default=1)
    memories = [(*memory, *[-1] * (wide - len(memory))) for memory in defence]
    acts = max((len(node.actions) for node in chart.nodes), default=1)
    over, under = (np.zeros((len(defence), acts), np.int32) for _ in range(2))
    for i, mixture in enumerate(defence.values()):
        for k, share in mixture.items():
            over[i, k], under[i, k] = share.numerator, share.denominator
    actions = [action for node in chart.nodes[: chart.plain] for action in node.actions]
    cells = np.full((len(actions), options.length), -1, np.int16)
    for line, action in zip(cells, actions, strict=True):
        line[: len(action.cells)] = [chart.nodes[cell.node].sort for cell in action.cells]
    table = {
        "options": np.array([options.digits, options.length, chart.colour]),
        "keys": np.frombuffer(b"".join(keys), np.uint8),
        "ends": np.cumsum([len(key) for key in keys]),
        "types": np.array([node.types for node in chart.nodes], np.int16),
        "orbits": np.array([node.orbit for node in chart.nodes], np.int16),
        "cells": cells,
        "race": won[:-1, :-1].astype(np.int32),
        "choice": choice.astype(np.int16),
        "memories": np.array(memories, np.int16).reshape(len(defence), wide),
        "numerators": over,
        "denominators": under,
    }
    # Only the default game uses types and mixtures; in the others the race follows from the
    # choices, and would take up most of the table.
    return table if chart.colour else {name: table[name] for name in RACE}
