"""The best response to a race strategy of Safe Cracker, over sets of codes up to symmetry."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from strongroom.theory.safe_cracker.board import Ints
from strongroom.theory.safe_cracker.race import CodeRace

Floats = NDArray[np.float64]


class TypeResponse:
    """The best response to a race strategy by one who knows the type of its own code.

    It meets the strategy's nodes one by one, the smallest sets first. Every responder's guess is
    tried, those that tell nothing too.
    """

    def __init__(self, race: CodeRace) -> None:
        self.chart, self.actions = race.chart, race.actions
        self.count = race.chart.plain
        self.place = np.empty(self.count, np.int64)
        self.place[self.actions.order] = np.arange(self.count)
        lengths = np.diff([*self.actions.starts, len(self.actions.hit)])
        self.owner = np.repeat(np.array(self.actions.order), lengths)
        self.to_move: dict[int, Floats] = {}
        """By the strategy's node what the responder, to move, wins: [its own node, its type]."""
        self.to_wait: dict[int, Floats] = {}
        """The same while the strategy is to move."""

    def wins_after(self, x: int, actions: Ints) -> Floats:
        """What the responder wins after each of these actions: [action, its own node, its type]."""
        node = self.chart.nodes[x]
        wins = np.zeros((len(node.actions), self.count, len(node.sizes)))
        for k in actions:
            for kind, chances in enumerate(self.chart.goes(node, node.actions[k])):
                for (c, now), chance in chances.items():
                    wins[k, :, kind] += float(chance) * self.to_move[c][:, now]
        return wins

    def meet(self, x: int, chosen: Ints, wins_after: Floats) -> None:
        """Respond to the strategy at its node `x`, where it takes this action at each node."""
        size, hit, cells = self.actions.size, self.actions.hit, self.actions.cells
        turn = np.zeros((self.count + 1, wins_after.shape[2]))
        turn[:-1] = wins_after[chosen, np.arange(self.count)]
        wins = hit[:, None] + (size[cells][:, :, None] * turn[cells]).sum(1)
        wins /= size[self.owner][:, None]
        best = np.maximum.reduceat(wins, self.actions.starts)[self.place]
        self.to_wait[x], self.to_move[x] = turn[:-1], np.maximum(turn[:-1], best)

    @property
    def bounds(self) -> tuple[float, float]:
        """After all nodes: what the strategy guarantees Seat.ONE at least, and at most."""
        return 1 - float(self.to_wait[0][0].max()), float(self.to_move[0][0].max())
