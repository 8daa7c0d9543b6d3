"""The race of Safe Cracker: both hide evenly, and nobody looks at the own code."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cached_property, lru_cache

import numpy as np

from strongroom.theory.safe_cracker.board import Ints, Space, space_of
from strongroom.theory.safe_cracker.chart import Chart
from strongroom.theory.solution import Report


class ActionArrays:
    """The actions of all plain nodes of a chart in arrays, nodes in order of size."""

    def __init__(self, chart: Chart) -> None:
        nodes = chart.nodes[: chart.plain]
        self.size = np.array([len(node.rows) for node in nodes] + [0])
        self.order = sorted(range(chart.plain), key=lambda x: (self.size[x], x))
        lines: list[tuple[int, int, tuple[int, ...]]] = []
        self.starts = []
        weights: list[int] = []
        for x in self.order:
            self.starts.append(len(lines))
            guesses = np.bincount(nodes[x].orbit[nodes[x].orbit >= 0])
            merged: Counter[tuple[int, tuple[int, ...]]] = Counter()
            for action, count in zip(nodes[x].actions, guesses, strict=True):
                cells = sorted(chart.nodes[cell.node].sort for cell in action.cells)
                merged[int(action.hit >= 0), tuple(cells)] += int(count)
            lines += [(x, hit, cells) for hit, cells in merged]
            weights += merged.values()
        width = max(len(cells) for _, _, cells in lines)
        self.hit = np.array([hit for _, hit, _ in lines])
        self.cells = np.array([(*c, *[chart.plain] * (width - len(c))) for _, _, c in lines])
        self.weight = np.array(weights)
        """How many guesses an action has; what is missing to all of them tells nothing."""

    def part(self, i: int) -> slice:
        """The actions of the i-th node in order."""
        return slice(self.starts[i], self.starts[i + 1] if i + 1 < len(self.starts) else None)


class CodeRace:
    """The race over the codes of one kind; each part is computed once, when first asked for."""

    def __init__(self, space: Space) -> None:
        self.space = space
        self._chart: Chart | None = None

    def draw(self, report: Report) -> Chart:
        """The chart of the race; to draw it the first time can take minutes."""
        if self._chart is None:
            self._chart = Chart(self.space, False, report)
        return self._chart

    @cached_property
    def chart(self) -> Chart:
        """The chart, drawn in silence if it was not drawn before."""
        return self.draw(lambda done, words: None)

    @cached_property
    def actions(self) -> ActionArrays:
        """The actions of the chart."""
        return ActionArrays(self.chart)

    @cached_property
    def won(self) -> Ints:
        """Of all pairs of codes, how many the player to move wins: [own node, opponent's node].

        By induction an integer: the guesser wins the pairs it hits, and of those that remain all
        that the opponent, now to move, does not win. A last row and column of zeros stand for what
        cannot remain.
        """
        actions = self.actions
        size, cells, starts = actions.size, actions.cells, actions.starts
        own = actions.hit + size[cells].sum(1)
        won = np.zeros((len(size), len(size)), np.int64)
        for i, x in enumerate(actions.order):
            mine, before = actions.part(i), np.array(actions.order[:i], np.int64)
            if i:
                lost = won[before[:, None, None], cells[mine]].sum(2)
                won[x, before] = (own[mine] * size[before, None] - lost).max(1)
                theirs = own[: starts[i]] * size[x] - won[x, cells[: starts[i]]].sum(1)
                won[before, x] = np.maximum.reduceat(theirs, starts[:i])
            won[x, x] = (own[mine] * size[x] - won[x, cells[mine]].sum(1)).max()
        return won

    @property
    def value(self) -> Fraction:
        """The win probability of the player who guesses first."""
        return Fraction(int(self.won[0, 0]), len(self.space.digits) ** 2)


@lru_cache(maxsize=1)
def race_of(digits: int, length: int) -> CodeRace:
    """The race of this kind of code; the last is kept, as a proof often follows its solution."""
    return CodeRace(space_of(digits, length))
