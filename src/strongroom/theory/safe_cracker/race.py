"""The race of Safe Cracker: both players hide uniformly and ignore their own code."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import NamedTuple

import numpy as np

from strongroom.theory.safe_cracker.board import Ints, Space, space_of
from strongroom.theory.safe_cracker.chart import Chart, Node
from strongroom.theory.solution import Report


class Split(NamedTuple):
    """The effect of a guess in the race: whether it may hit, and the nodes that can remain."""

    hit: bool
    cells: tuple[int, ...]


class ActionArrays:
    """The effects of all guesses at all nodes, as arrays, with the nodes in order of size.

    It is built from each node's size and the number of guesses with each split of it.
    """

    def __init__(self, sizes: Sequence[int], splits: Sequence[Mapping[Split, int]]) -> None:
        self.size = np.array([*sizes, 0])
        self.order = sorted(range(len(sizes)), key=lambda x: (sizes[x], x))
        self.starts = []
        lines: list[Split] = []
        weights: list[int] = []
        for x in self.order:
            self.starts.append(len(lines))
            lines += splits[x]
            weights += splits[x].values()
        width = max(len(split.cells) for split in lines)
        self.hit = np.array([int(split.hit) for split in lines])
        self.cells = np.array([(*c, *[len(sizes)] * (width - len(c))) for _, c in lines])
        self.weight = np.array(weights)
        """The number of guesses of each action; guesses not counted tell nothing."""

    def part(self, i: int) -> slice:
        """The actions of the i-th node in order."""
        return slice(self.starts[i], self.starts[i + 1] if i + 1 < len(self.starts) else None)


def splits_of(chart: Chart, node: Node) -> Counter[Split]:
    """The number of guesses with each split of a node, without those that tell nothing."""
    splits: Counter[Split] = Counter()
    guesses = np.bincount(node.orbit[node.orbit >= 0])
    for action, count in zip(node.actions, guesses, strict=True):
        cells = sorted(chart.nodes[cell.node].sort for cell in action.cells)
        splits[Split(action.hit >= 0, tuple(cells))] += int(count)
    return splits


class CodeRace:
    """The race over the codes of one kind; each part is computed once, on first use."""

    def __init__(self, space: Space) -> None:
        self.space = space
        self._chart: Chart | None = None

    def draw(self, report: Report) -> Chart:
        """The chart of the race; drawing it the first time can take minutes."""
        if self._chart is None:
            self._chart = Chart(self.space, False, report)
        return self._chart

    @cached_property
    def chart(self) -> Chart:
        """The chart, drawn without progress reports if it is not there yet."""
        return self.draw(lambda done, words: None)

    @cached_property
    def actions(self) -> ActionArrays:
        """The actions of the chart."""
        nodes = self.chart.nodes[: self.chart.plain]
        splits = [splits_of(self.chart, node) for node in nodes]
        return ActionArrays([len(node.rows) for node in nodes], splits)

    @cached_property
    def won(self) -> Ints:
        """The number of pairs of codes that the player to move wins: [own node, opponent's node].

        It is an integer by induction: the guesser wins the pairs it hits and, of those that remain,
        all that the opponent, now to move, does not win. The last row and column are zeros, for
        missing cells.
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
    """The race of this kind of code; the last is cached, as a proof often follows its solution."""
    return CodeRace(space_of(digits, length))
