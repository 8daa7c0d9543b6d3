"""What a seat knows, as numbers: one vector for a view, and a mask of the actions it may take.

Two views of a seat give the same vector if and only if they tell it the same.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from strongroom.contract import Event, Game, History, Phase, Seat, View
from strongroom.referee.bout import TURN_LIMIT

Vector = NDArray[np.int32]
EVENT: Final = 2
"""How many numbers an event takes: its action, below zero if Seat.TWO made it, and its answer."""


class Observer:
    """Writes what seats know of one game; everything is an integer, and 0 stands for nothing.

    >>> from strongroom import load
    >>> observer = Observer(load("quantum-duel"), memory=2)
    >>> state = observer.game.start().play(observer.game.move("4"))
    >>> observer.observe(state.view(Seat.TWO)).tolist()
    [2, 2, 1, 0, 0, 0, 1, 0, 0, 0, 4, 2, 0, 0]
    >>> observer.layout["board"], observer.layout["history"]
    (slice(3, 10, None), slice(10, 14, None))
    """

    def __init__(
        self, game: Game, turn_limit: int | None = TURN_LIMIT, memory: int | None = None
    ) -> None:
        self.game = game
        longest = game.longest_game(turn_limit)
        assert longest is not None, "without any limit, no vector would be long enough"
        longest -= 2 * game.secrets_each
        events = longest if memory is None else min(memory, longest)
        board = cells(game.board_to_json(game.start().board))
        sizes = {
            "seat": 1,
            "actor": 1,
            "number": 1,
            "own": game.secrets_each,
            "board": len(board),
            "history": EVENT * events,
        }
        ends = np.cumsum([*sizes.values()]).tolist()
        self.layout: dict[str, slice] = {
            name: slice(end - size, end)
            for (name, size), end in zip(sizes.items(), ends, strict=True)
        }
        """Where each part stands: the viewer, who is to move (0 when the game is over), how many
        moves were made, its own secrets, the board, and the latest events, latest first."""
        self.size: int = ends[-1]
        self.largest = max(len(game.actions), len(game.answers), longest + 2 * game.secrets_each)
        """No number of a vector is further from zero."""
        own = (game.actions.section(phase) for phase in (Phase.SET_UP, Phase.TURN))
        self.actions = max(section.stop for section in own)
        """How many actions players have; those of chance come after them."""
        self._history = np.zeros(EVENT * events, np.int32)
        self._seen: History[Event] = History()

    def observe(self, view: View) -> Vector:
        """What a view tells its seat; the secrets that a finished game reveals are not in it."""
        game, seat, actor = view.game, view.seat, view.actor
        assert seat is not None
        own = [game.actions.index(move) + 1 for move in view.secret]
        own += [0] * (game.secrets_each - len(own))
        to_move = actor.value if isinstance(actor, Seat) else 0
        head = [seat.value, to_move, view.number, *own, *cells(game.board_to_json(view.board))]
        vector = np.zeros(self.size, np.int32)
        start = self.layout["history"].start
        vector[: min(len(head), start)] = head[:start]
        vector[start:] = self._latest(view.history)
        return vector

    def mask(self, view: View) -> NDArray[np.int8]:
        """For every action, 1 if the viewer may take it now."""
        return view.game.actions.mask(view.moves)[: self.actions].view(np.int8)

    def _latest(self, history: History[Event]) -> Vector:
        """The latest events, latest first, continued from the last time where they follow it."""
        seen, held = self._seen, self._history
        if len(history) != len(seen) or not history.begins_with(seen):
            held = held.copy()
            if not history.begins_with(seen):
                seen, held[:] = History(), 0
            for event in history[len(seen) :]:
                held[EVENT:] = held[:-EVENT]
                held[:EVENT] = self._numbered(event)
            self._seen, self._history = history, held
        return held

    def _numbered(self, event: Event) -> tuple[int, int]:
        action = self.game.actions.index(event.move) + 1
        answer = self.game.answers.index(event.answer) + 1
        return (-action if event.actor is Seat.TWO else action), answer


def cells(board: Any) -> list[int]:
    """The numbers of a board whose JSON form is a list; any other board is in the history alone.

    >>> cells([None, 2, True]), cells(None)
    ([0, 2, 1], [])
    """
    if not isinstance(board, list):
        return []
    return [int(each) if isinstance(each, int) else 0 for each in board]
