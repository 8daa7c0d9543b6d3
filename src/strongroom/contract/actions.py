"""Action spaces: every move of a game has one number, the same for everybody."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from enum import Flag, auto
from functools import cached_property
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from strongroom.contract.move import Move
from strongroom.contract.refusal import Refusal, shown_value

if TYPE_CHECKING:  # numpy takes longer to import than everything else here together
    import numpy as np
    from numpy.typing import NDArray

M = TypeVar("M", bound=Move, covariant=True)


class Phase(Flag):
    """When a move can be made: in the set-up, in a turn, by chance."""

    SET_UP = auto()
    TURN = auto()
    CHANCE = auto()


class MoveList(Sequence[M]):
    """Moves in a fixed order that are made when they are asked for; equal to any list of the same.

    For lists that are long, or made often and rarely read to the end. One that stands as a block
    in an action space finds a move (`in`, `index`) without walking through all of them.
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


class Block(NamedTuple):
    """Moves that stand together in an action space, and when they can be made."""

    moves: Sequence[Move]
    phase: Phase


class Actions(Sequence[Move]):
    """Every move of a game, numbered from 0: block after block, in a fixed order.

    A section is the run of numbers whose moves can be made in a phase. A move that can be made in
    two phases has one number all the same, so sections may overlap.
    """

    def __init__(self, *blocks: Block) -> None:
        self.blocks = blocks
        ends = accumulate(len(block.moves) for block in blocks)
        self._runs = [
            range(end - len(block.moves), end) for end, block in zip(ends, blocks, strict=True)
        ]

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

    def __len__(self) -> int:
        return self._runs[-1].stop if self._runs else 0

    def __getitem__(self, number: Any) -> Any:
        if isinstance(number, slice):
            return tuple(self[each] for each in range(*number.indices(len(self))))
        place = range(len(self))[number]
        for run, block in zip(self._runs, self.blocks, strict=True):
            if place in run:
                return block.moves[place - run.start]
        raise IndexError(number)

    def __iter__(self) -> Iterator[Move]:
        for block in self.blocks:
            yield from block.moves

    @cached_property
    def _numbers(self) -> dict[Move, int]:
        """The numbers of the moves in blocks that are short enough to be listed."""
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
        raise ValueError("That is no action of this game.")

    def __contains__(self, move: object) -> bool:
        return move in self._numbers or any(
            isinstance(block.moves, MoveList) and move in block.moves for block in self.blocks
        )

    # --- legal moves as numbers ---

    def ranges(self, moves: Sequence[Move]) -> list[tuple[int, int]]:
        """The numbers of moves listed in ascending order, as runs from the first up to the second.

        This is how a list of moves travels: half a million codes are one run.
        """
        if not moves:
            return []
        for run, block in zip(self._runs, self.blocks, strict=True):
            if moves is block.moves:
                return [(run.start, run.stop)] if run else []
        runs: list[tuple[int, int]] = []
        for number in map(self.index, moves):
            if runs and runs[-1][1] == number:
                runs[-1] = (runs[-1][0], number + 1)
            else:
                runs.append((number, number + 1))
        return runs

    def listed(self, ranges: Iterable[Any]) -> Sequence[Move]:
        """The moves whose `ranges` these are; runs that cannot be that are refused."""
        runs = [self._run(each) for each in ranges]
        # Else a few bytes could ask for the same half a million moves again and again.
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
        raise Refusal(f"{shown_value(pair)} is no run of actions of this game.")

    def mask(self, moves: Sequence[Move]) -> NDArray[np.bool_]:
        """For every action whether it is among these moves."""
        import numpy as np

        mask = np.zeros(len(self), dtype=bool)
        for first, end in self.ranges(moves):
            mask[first:end] = True
        return mask
