"""The race of Safe Cracker: both hide evenly, and nobody looks at the own code."""

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
    """What a guess does in the race: whether it may hit, and the nodes that can remain."""

    hit: bool
    cells: tuple[int, ...]


class ActionArrays:
    """What all guesses do at all nodes, in arrays; nodes in order of size.

    It is made of each node's size and of how many guesses there split it how.
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
        """How many guesses an action has; what is missing to all of them tells nothing."""

    def part(self, i: int) -> slice:
        """The actions of the i-th node in order."""
        return slice(self.starts[i], self.starts[i + 1] if i + 1 < len(self.starts) else None)


def splits_of(chart: Chart, node: Node) -> Counter[Split]:
    """How many guesses split a node of a chart how; those that tell nothing are left out."""
    splits: Counter[Split] = Counter()
    guesses = np.bincount(node.orbit[node.orbit >= 0])
    for action, count in zip(node.actions, guesses, strict=True):
        cells = sorted(chart.nodes[cell.node].sort for cell in action.cells)
        splits[Split(action.hit >= 0, tuple(cells))] += int(count)
    return splits


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
        nodes = self.chart.nodes[: self.chart.plain]
        splits = [splits_of(self.chart, node) for node in nodes]
        return ActionArrays([len(node.rows) for node in nodes], splits)

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
