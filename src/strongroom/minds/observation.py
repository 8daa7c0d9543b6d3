"""A seat in numbers: a vector for its view, a mask of its legal actions, and a policy that plays.

Two views of a seat give the same vector if and only if they tell it the same, except that neither
the result of a finished game nor the secrets that it reveals are in the vector.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from numbers import Integral
from struct import pack
from typing import Any, Final, TypeVar

import numpy as np
from numpy.typing import NDArray

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

Vector = NDArray[np.int8 | np.int16 | np.int32]
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
        board = board_numbers(game.board_to_json(game.start().board))
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
        self.least = -self.largest
        """No number of a vector is smaller."""
        fits = self.largest <= np.iinfo(np.int16).max
        kind = np.int16 if fits else np.int32
        self.dtype: np.dtype[np.int8 | np.int16 | np.int32] = np.dtype(kind)
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
        """The vector of a view."""
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
            told = self._part("board", board_numbers(self.game.board_to_json(board)))
            shown = remember(self._boards, board, told)
        self._follow(history)
        parts = bytearray().join((head, self._own[place], shown, self._events))
        return np.frombuffer(parts, self.dtype)

    def mask(self, view: View) -> Mask:
        """A mask of the actions: 1 where the viewer may take it now."""
        moves = view.moves
        held = self._masks.get(id(moves))
        if held is not None and held[0] is moves:
            return held[1].copy()
        mask = self.game.actions.mask(moves)[: self.actions].view(np.int8)
        if not isinstance(moves, Sublist):  # which is large, seldom the same, and quick to write
            remember(self._masks, id(moves), (moves, mask.copy()), KEPT if self.few else FEW)
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
            events = b"".join(map(self._event_numbers, new)) + self._events
            self._events = events[: len(self._nothing)]
        self._history = history

    def _event_numbers(self, event: Event) -> bytes:
        written = self._written.get(event)
        if written is not None:
            return written
        actor, move, answer = event
        action, told = self.game.actions.index(move) + 1, self.game.answers.index(answer) + 1
        if actor is Seat.TWO:
            action = -action
        elif actor is CHANCE:
            told = -told
        return remember(self._written, event, pack(self._event, action, told))


Act = Callable[[Any, Any], Any]
"""Chooses an action, given an observation and the mask of the legal actions."""


class PolicyPlayer:
    """Asks a policy for an action, with the observations that it was trained on.

    >>> from strongroom import load
    >>> from strongroom.contract import Seat
    >>> player = PolicyPlayer(load("quantum-duel"), lambda observation, mask: mask.argmax())
    >>> str(player.choose(player.game.start().view(Seat.ONE)))
    '1'
    """

    def __init__(
        self,
        game: Game,
        act: Act,
        memory: int | None = None,
        turn_limit: int | None = TURN_LIMIT,
        observer: Observer | None = None,
    ) -> None:
        self.game, self._act = game, act
        self._observer = observer or Observer(game, turn_limit, memory)

    def choose(self, view: View) -> Move:
        """The move whose number the policy gives."""
        action = self._act(self._observer.observe(view), self._observer.mask(view))
        move: Move = self.game.actions[int(action)]
        return move


def check_number(name: str, given: object, least: int) -> None:
    """Refuse a setting that is neither None nor a whole number, at least so large.

    >>> check_number("turn_limit", "10", least=1)
    Traceback (most recent call last):
    ...
    strongroom.contract.refusal.Refusal: turn_limit must be a whole number, at least 1, or None.
    """
    if given is not None and not (isinstance(given, Integral) and int(given) >= least):
        raise Refusal(f"{name} must be a whole number, at least {least}, or None.")


K = TypeVar("K")
V = TypeVar("V")


def remember(store: dict[K, V], key: K, value: V, most: int = KEPT) -> V:
    """Store a value under a key, and return it; a full store is emptied first."""
    if len(store) >= most:
        store.clear()
    store[key] = value
    return value


def board_numbers(board: Any) -> list[int]:
    """The numbers of a board whose JSON form is a list; any other board is in the history alone.

    >>> board_numbers([None, 2, True]), board_numbers(None)
    ([0, 2, 1], [])
    """
    if not isinstance(board, list):
        return []
    return [int(each) if isinstance(each, int) else 0 for each in board]
