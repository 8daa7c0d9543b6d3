"""Every move and every answer of a game, numbered: the same number for everybody."""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from enum import Flag, auto
from functools import cached_property
from itertools import accumulate, pairwise
from operator import itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple, Self, TypeVar

from strongroom.contract.moves import Answer, Move
from strongroom.contract.refusal import Refusal, shown_value

if TYPE_CHECKING:  # importing numpy takes longer than everything else here combined
    import numpy as np
    from numpy.typing import NDArray

M = TypeVar("M", bound=Move, covariant=True)

Run = tuple[int, int]
"""Consecutive numbers, half-open: `(first, end)`."""


class Phase(Flag):
    """When a move can be made: in the set-up, in a turn, by chance."""

    SET_UP = auto()
    TURN = auto()
    CHANCE = auto()


class MoveList(Sequence[M]):
    """Moves in a fixed order, created on demand; equal to any sequence of the same moves.

    For lists that are long, or created often and rarely read to the end. One that is a block of an
    action space finds a move (`in`, `index`) without searching through all of them.
    """

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, Sequence):
            return NotImplemented
        return len(self) == len(other) and all(a == b for a, b in zip(self, other, strict=True))

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return f"<{len(self)} moves>"


class Sublist(MoveList[M]):
    """Some moves of a block of an action space, in its order, which know their places in it.

    So their numbers and their mask are found without looking up a single move.
    """

    def __init__(self, block: Sequence[M], places: array[int]) -> None:
        self.block = block
        """All moves of the block."""
        self.places = places
        """The index in the block of each move of this list, in ascending order."""
        self._taken_from: tuple[Sublist[M], Sequence[Run]] | None = None

    def has_place(self, place: int) -> bool:
        """Whether the list contains the move at this index in the block."""
        at = bisect_left(self.places, place)
        return at < len(self.places) and self.places[at] == place

    def without(self, gaps: Sequence[Run]) -> Self:
        """The list without the moves at these runs of places, all of which it contains."""
        places = self.places[:]
        for first, end in gaps:
            at = bisect_left(places, first)
            del places[at : at + end - first]
        left = type(self)(self.block, places)
        left._taken_from = self, gaps
        return left

    @cached_property
    def runs(self) -> list[Run]:
        """The places as runs."""
        if self._taken_from is None:
            return runs_of(self.places)
        whole, gaps = self._taken_from
        runs = whole.runs.copy()
        for first, end in gaps:
            at = bisect_right(runs, first, key=itemgetter(0)) - 1
            pieces = (runs[at][0], first), (end, runs[at][1])
            runs[at : at + 1] = [piece for piece in pieces if piece[0] < piece[1]]
        return runs

    @cached_property
    def _whole(self) -> list[int]:
        return self.places.tolist()

    def place_list(self) -> list[int]:
        """The places as a list; nothing is counted again that was counted for the whole."""
        if self._taken_from is None:
            return self._whole.copy()
        whole, gaps = self._taken_from
        places = whole.place_list()
        for first, end in gaps:
            at = bisect_left(places, first)
            del places[at : at + end - first]
        return places

    def __len__(self) -> int:
        return len(self.places)

    def __getitem__(self, number: Any) -> Any:
        if isinstance(number, slice):
            return tuple(self.block[place] for place in self.places[number])
        return self.block[self.places[number]]

    def __iter__(self) -> Iterator[M]:
        return map(self.block.__getitem__, self.places)


class Block(NamedTuple):
    """Moves with consecutive numbers in an action space, and when they can be made."""

    moves: Sequence[Move]
    phase: Phase


class Actions(Sequence[Move]):
    """Every move of a game, numbered from 0: block after block, in a fixed order.

    A section is the run of numbers whose moves can be made in a phase. A move that can be made in
    two phases still has one number, so sections may overlap. The moves of chance stand last.
    """

    def __init__(self, *blocks: Block) -> None:
        self.blocks = blocks
        ends = accumulate(len(block.moves) for block in blocks)
        self._runs = [
            range(end - len(block.moves), end) for end, block in zip(ends, blocks, strict=True)
        ]
        self._ends = [(r.stop, b.moves) for r, b in zip(self._runs, blocks, strict=True)]

    def section(self, phase: Phase) -> range:
        """The numbers of the moves that can be made in a phase."""
        runs = [
            run for run, block in zip(self._runs, self.blocks, strict=True) if phase in block.phase
        ]
        if not runs:
            return range(0)
        if sum(map(len, runs)) != runs[-1].stop - runs[0].start:
            raise ValueError(f"The moves of {phase} do not stand together.")
        return range(runs[0].start, runs[-1].stop)

    @cached_property
    def by_players(self) -> int:
        """How many actions players have; those of chance come after them."""
        return max(self.section(phase).stop for phase in (Phase.SET_UP, Phase.TURN))

    def __len__(self) -> int:
        return self._runs[-1].stop if self._runs else 0

    def __getitem__(self, number: Any) -> Any:
        if isinstance(number, slice):
            return tuple(self[each] for each in range(*number.indices(len(self))))
        place = number if type(number) is int and number >= 0 else range(len(self))[number]
        for end, moves in self._ends:
            if place < end:
                return moves[place - end]
        raise IndexError(number)

    def __iter__(self) -> Iterator[Move]:
        for block in self.blocks:
            yield from block.moves

    @cached_property
    def _numbers(self) -> dict[Move, int]:
        """The numbers of the moves in blocks that are listed in full."""
        return {
            move: number
            for run, block in zip(self._runs, self.blocks, strict=True)
            if not isinstance(block.moves, MoveList)
            for number, move in zip(run, block.moves, strict=True)
        }

    def index(self, move: Any, *bounds: int) -> int:
        """The number of a move."""
        number = self._numbers.get(move)
        if number is not None:
            return number
        for run, block in zip(self._runs, self.blocks, strict=True):
            if isinstance(block.moves, MoveList) and move in block.moves:
                return run.start + block.moves.index(move)
        raise ValueError("That is not an action of this game.")

    def __contains__(self, move: object) -> bool:
        return move in self._numbers or any(
            isinstance(block.moves, MoveList) and move in block.moves for block in self.blocks
        )

    # --- legal moves as numbers ---

    def ranges(self, moves: Sequence[Move]) -> list[Run]:
        """The numbers of moves, given in ascending order, as half-open runs `(first, end)`.

        This is how a list of moves is sent: half a million codes are one run.
        """
        if not moves:
            return []
        for run, block in zip(self._runs, self.blocks, strict=True):
            if moves is block.moves:
                return [(run.start, run.stop)]
            if isinstance(moves, Sublist) and moves.block is block.moves:
                start = run.start
                return [(a + start, b + start) for a, b in moves.runs] if start else [*moves.runs]
        return runs_of(map(self.index, moves))

    def numbers(self, moves: Sequence[Move]) -> list[int]:
        """The number of each move."""
        for run, block in zip(self._runs, self.blocks, strict=True):
            if moves is block.moves:
                return [*run]
            if isinstance(moves, Sublist) and moves.block is block.moves:
                start, places = run.start, moves.place_list()
                return [start + place for place in places] if start else places
        return [*map(self.index, moves)]

    def moves_in(self, ranges: Iterable[Any]) -> Sequence[Move]:
        """The moves with these `ranges`; invalid runs are refused."""
        runs = [self._run(each) for each in ranges]
        # Otherwise a few bytes could request the same half a million moves many times over.
        if any(later.start < earlier.stop for earlier, later in pairwise(runs)):
            raise Refusal("The runs of actions are not in ascending order.")
        for run, block in zip(self._runs, self.blocks, strict=True):
            if runs == [run]:
                return block.moves
        return tuple(self[number] for run in runs for number in run)

    def _run(self, pair: Any) -> range:
        if isinstance(pair, (list, tuple)) and [*map(type, pair)] == [int, int]:
            if 0 <= pair[0] < pair[1] <= len(self):
                return range(*pair)
        raise Refusal(f"{shown_value(pair)} is not a run of actions of this game.")

    def mask(self, moves: Sequence[Move]) -> NDArray[np.bool_]:
        """For every action, whether it is among these moves."""
        import numpy as np

        mask = np.zeros(len(self), dtype=bool)
        for run, block in zip(self._runs, self.blocks, strict=True):
            if isinstance(moves, Sublist) and moves.block is block.moves:
                mask[run.start : run.stop][np.asarray(moves.places)] = True
                return mask
        for first, end in self.ranges(moves):
            mask[first:end] = True
        return mask


def runs_of(numbers: Iterable[int]) -> list[Run]:
    """Ascending numbers as half-open runs.

    >>> runs_of([3, 4, 5, 8])
    [(3, 6), (8, 9)]
    """
    runs: list[Run] = []
    for number in numbers:
        if runs and runs[-1][1] == number:
            runs[-1] = (runs[-1][0], number + 1)
        else:
            runs.append((number, number + 1))
    return runs


class Answers(Sequence[Answer]):
    """Every answer that the referee can give in a game, numbered from 0 in a fixed order.

    If a public move can go unanswered, None is among the answers, so that every event has a number.

    >>> Answers([None, 0, 1]).index(None)
    0
    """

    def __init__(self, answers: Iterable[Answer]) -> None:
        self._answers = tuple(answers)

    @cached_property
    def _numbers(self) -> dict[Answer, int]:
        return {answer: number for number, answer in enumerate(self._answers)}

    def __len__(self) -> int:
        return len(self._answers)

    def __getitem__(self, number: Any) -> Any:
        return self._answers[number]

    def __contains__(self, answer: object) -> bool:
        return answer in self._numbers

    def index(self, answer: Any, *bounds: int) -> int:
        """The number of an answer."""
        if answer not in self._numbers:
            raise ValueError("That is not an answer of this game.")
        return self._numbers[answer]
