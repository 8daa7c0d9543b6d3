"""The best response to a race strategy of Safe Cracker, over sets of codes up to symmetry."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from strongroom.theory.safe_cracker.board import Ints
from strongroom.theory.safe_cracker.race import ActionArrays, CodeRace

Floats = NDArray[np.float64]


class Response:
    """The best response of a player who knows its own code, or as much of it as matters.

    It meets the strategy's nodes one by one, the smallest sets first. Every guess of the responder
    is tried, including those that tell nothing.
    """

    def __init__(self, actions: ActionArrays) -> None:
        self.actions = actions
        self.count = len(actions.order)
        self.place = np.empty(self.count, np.int64)
        self.place[actions.order] = np.arange(self.count)
        lengths = np.diff([*actions.starts, len(actions.hit)])
        self.owner = np.repeat(np.array(actions.order), lengths)
        self.to_move: dict[int, Floats] = {}
        """What the responder to move wins, by the strategy's node: [its own node, its code]."""
        self.bounds = 0.0, 1.0
        """After all nodes, the lower and upper bound on Seat.ONE's value."""

    def meet(self, x: int, turn: Floats) -> None:
        """Respond to the strategy at its node `x`.

        `turn` is what the responder wins if the strategy is to move: [its own node, its code].
        """
        size, hit, cells = self.actions.size, self.actions.hit, self.actions.cells
        padded = np.vstack([turn, np.zeros(turn.shape[1])])
        wins = hit[:, None] + sum(size[c][:, None] * padded[c] for c in cells.T)
        wins /= size[self.owner][:, None]
        best = np.maximum.reduceat(wins, self.actions.starts)[self.place]
        self.to_move[x] = np.maximum(turn, best)
        if x == 0:
            self.bounds = 1 - float(turn[0].max()), float(self.to_move[0][0].max())


class TypeResponse(Response):
    """The best response of a player who knows the type of its own code in the chart."""

    def __init__(self, race: CodeRace) -> None:
        super().__init__(race.actions)
        self.chart = race.chart

    def wins_after(self, x: int, actions: Ints) -> Floats:
        """What the responder wins after each of these actions: [action, its own node, its type]."""
        node = self.chart.nodes[x]
        wins = np.zeros((len(node.actions), self.count, len(node.sizes)))
        for k in actions:
            for kind, chances in enumerate(self.chart.goes(node, node.actions[k])):
                for (c, now), chance in chances.items():
                    wins[k, :, kind] += float(chance) * self.to_move[c][:, now]
        return wins
