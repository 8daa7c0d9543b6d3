"""What a player knows, for OpenSpiel: information states and observations, in numbers and text."""

from __future__ import annotations

from typing import Any

import numpy as np

from strongroom.agents.observation import EVENT, Observer
from strongroom.contract import Game, Seat, View
from strongroom.plugins.extras import extra

with extra("openspiel", "strongroom.agents.openspiel"):
    import pyspiel

PRIVATE = ("seat", "own")
"""Which parts of a vector only its seat may know; everybody may know the others."""


class OpenSpielObserver:
    """Writes what a player may know of a state, as OpenSpiel's observers do.

    With perfect recall it is everything in the player's view; without, only the latest event of its
    history. What only the others may know is never in it.
    """

    def __init__(self, rules: Game, turn_limit: int, kind: Any = None, params: Any = None) -> None:
        if params:
            raise ValueError(f"These observers have no parameters; {params} was given.")
        kind = kind or pyspiel.IIGObservationType(perfect_recall=False)
        if kind.private_info == pyspiel.PrivateInfoType.ALL_PLAYERS:
            raise ValueError("No observer shows what several players keep private.")
        self._private = kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        self._public = kind.public_info
        self._memory = None if kind.perfect_recall else 1
        self._observer = Observer(rules, turn_limit, self._memory)
        self._parts = [
            (name, at)
            for name, at in self._observer.layout.items()
            if (self._private if name in PRIVATE else self._public) and at.start < at.stop
        ]
        self.tensor = np.zeros(sum(at.stop - at.start for _, at in self._parts), np.float32)
        self.dict: dict[str, Any] = {}
        start = 0
        for name, at in self._parts:
            part = self.tensor[start : start + at.stop - at.start]
            self.dict[name] = part.reshape(-1, EVENT) if name == "history" else part
            start += len(part)

    def set_from(self, state: Any, player: int) -> None:
        """Write what a player knows into `tensor`, and so into the parts in `dict`."""
        vector = self._observer.observe(state.bout.view(Seat(player + 1)))
        for name, at in self._parts:
            self.dict[name].flat = vector[at]

    def string_from(self, state: Any, player: int) -> str:
        """The same in one line of text."""
        view = state.bout.view(Seat(player + 1))
        told = [private(view)] if self._private else []
        told += [public(view, self._memory)] if self._public else []
        return ", ".join(told)


def knowledge(view: View) -> str:
    """All that a view tells, in one line: two views are equal if and only if their lines are.

    >>> from strongroom import load
    >>> game = load("safe-cracker")
    >>> state = game.start().play(game.move("1-1-1")).play(game.move("1-2-3"))
    >>> knowledge(state.play(game.move("1-3-3")).view(Seat.TWO))
    'seat 2, own 1-2-3, move 3, board None: 1 1-3-3 2'
    """
    return f"{private(view)}, {public(view)}"


def private(view: View) -> str:
    """What only the viewer may know."""
    return f"seat {view.seat and view.seat.value}, own {' and '.join(map(str, view.secret))}"


def public(view: View, memory: int | None = None) -> str:
    """What everybody may know, with the latest events only if `memory` says how many."""
    told = [f"move {view.number}, board {view.game.board_to_json(view.board)}:"]
    events = view.history if memory is None else view.history[-memory:]
    told += [f"{event.actor.value} {event.move} {event.answer}" for event in events]
    if view.secrets is not None:
        told += [f"over {view.outcome}", *(str(each) for both in view.secrets for each in both)]
    return " ".join(told)
