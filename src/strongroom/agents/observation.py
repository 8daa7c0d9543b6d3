"""What a seat knows, as numbers: one vector for a view, and a mask of the actions it may take.

Two views of a seat give the same vector if and only if they tell it the same, except that neither
the result of a finished game nor the secrets that it reveals are in the vector.
"""

from __future__ import annotations

from collections.abc import Sequence
from struct import pack
from typing import Any, Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from strongroom.agents.settings import check_number
from strongroom.contract import (
    CHANCE,
    Event,
    Game,
    History,
    Move,
    Refusal,
    Seat,
    Sublist,
    View,
)
from strongroom.referee.bout import TURN_LIMIT

Vector = NDArray[np.int16 | np.int32]
Mask = NDArray[np.int8]

EVENT: Final = 2
"""How many numbers an event takes: its action, below zero if Seat.TWO made it, and its answer,
below zero if chance made it."""
LISTED: Final = 10_000
"""Of more actions than this, moves are created on demand."""
KEPT, FEW = 5000, 10
"""How many boards, events and masks are remembered at most; of very long masks, only a few."""


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
        check_number("turn_limit", turn_limit, least=1)
        check_number("memory", memory, least=0)
        longest = game.longest_game(turn_limit)
        if longest is None:
            told = f"{game.title} can go on forever, and no vector would be long enough."
            raise Refusal(told, f"Set a turn limit, like turn_limit={TURN_LIMIT}.")
        self.game = game
        events = longest - 2 * game.secrets_each
        events = events if memory is None else min(memory, events)
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
        """Where each part stands: the viewer, who is to move (0 when it is chance or the game is
        over), how many moves were made, its own secrets, the board, and the events, latest first.

        With a memory, only so many of the latest events; then what a seat knew and did long ago is
        not in its vector any more.
        """
        self.size: int = ends[-1]
        self.largest = max(len(game.actions), len(game.answers), longest)
        """No number of a vector is further from zero."""
        fits = self.largest <= np.iinfo(np.int16).max
        self.dtype: np.dtype[np.int16 | np.int32] = np.dtype(np.int16 if fits else np.int32)
        """The type of the numbers, the smallest that holds them all."""
        self.actions = game.actions.by_players
        """How many actions players have; those of chance come after them."""
        self.few = self.actions <= LISTED
        """Whether there are so few of them that all moves can be listed."""
        self.moves: Sequence[Move] = game.actions[: self.actions] if self.few else game.actions
        """The move of each of these actions."""
        self._head, self._event = f"3{self.dtype.char}", f"{EVENT}{self.dtype.char}"
        self._nothing = bytes(self.dtype.itemsize * EVENT * events)
        # What was written last, in bytes, because most of it is the same the next time.
        self._history, self._events = History[Event](), self._nothing
        self._secrets: list[tuple[Move, ...] | None] = [None, None]
        self._own = [b"", b""]
        self._boards: dict[Any, bytes] = {}
        self._written: dict[Event, bytes] = {}
        self._masks: dict[int, tuple[Sequence[Move], Mask]] = {}

    def __deepcopy__(self, memo: object) -> Observer:
        return self  # what it remembers is right for everybody

    def observe(self, view: View) -> Vector:
        """What a view tells its seat."""
        _, seat, actor, number, _, _, _, _, history, secret, board, _, _ = view
        assert seat is not None
        place = seat.index
        to_move = actor.index + 1 if isinstance(actor, Seat) else 0
        head = pack(self._head, place + 1, to_move, number)
        if secret is not self._secrets[place]:
            own = [self.game.actions.index(move) + 1 for move in secret]
            self._secrets[place], self._own[place] = secret, self._part("own", own)
        shown = self._boards.get(board)
        if shown is None:
            told = self._part("board", cells(self.game.board_to_json(board)))
            shown = kept(self._boards, board, told)
        self._follow(history)
        parts = bytearray().join((head, self._own[place], shown, self._events))
        return np.frombuffer(parts, self.dtype)

    def mask(self, view: View) -> Mask:
        """For every action, 1 if the viewer may take it now."""
        moves = view.moves
        held = self._masks.get(id(moves))
        if held is not None and held[0] is moves:
            return held[1].copy()
        mask = self.game.actions.mask(moves)[: self.actions].view(np.int8)
        if not isinstance(moves, Sublist):  # which is large, seldom the same, and quick to write
            kept(self._masks, id(moves), (moves, mask.copy()), KEPT if self.few else FEW)
        return mask

    def _part(self, name: str, numbers: list[int]) -> bytes:
        """A part in its full length; a number out of bounds is told by the history alone."""
        size = self.layout[name].stop - self.layout[name].start
        told = [number if abs(number) <= self.largest else 0 for number in numbers[:size]]
        return np.array(told + [0] * (size - len(told)), self.dtype).tobytes()

    def _follow(self, history: History[Event]) -> None:
        """Write the latest events, latest first; all of them if it is another game than before."""
        new = history.since(self._history)
        if new is None:
            self._events, new = self._nothing, [*reversed(history)]
        if new:
            events = b"".join(map(self._numbered, new)) + self._events
            self._events = events[: len(self._nothing)]
        self._history = history

    def _numbered(self, event: Event) -> bytes:
        written = self._written.get(event)
        if written is not None:
            return written
        actor, move, answer = event
        action, told = self.game.actions.index(move) + 1, self.game.answers.index(answer) + 1
        if actor is Seat.TWO:
            action = -action
        elif actor is CHANCE:
            told = -told
        return kept(self._written, event, pack(self._event, action, told))


K = TypeVar("K")
V = TypeVar("V")


def kept(store: dict[K, V], key: K, value: V, most: int = KEPT) -> V:
    """The value, remembered in a store that never grows too large."""
    if len(store) >= most:
        store.clear()
    store[key] = value
    return value


def cells(board: Any) -> list[int]:
    """The numbers of a board whose JSON form is a list; any other board is in the history alone.

    >>> cells([None, 2, True]), cells(None)
    ([0, 2, 1], [])
    """
    if not isinstance(board, list):
        return []
    return [int(each) if isinstance(each, int) else 0 for each in board]
