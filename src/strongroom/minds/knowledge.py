"""A seat in flags: what it knows of one of the five games, as booleans in parts by name.

These are the observations of games in batches, written from a view and without JAX, so that a
policy that was trained there sits down anywhere. A proof compares the two (`proofs/lockstep.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final, Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from strongroom.contract import (
    Candidates,
    CandidateTracker,
    Event,
    Game,
    Move,
    Refusal,
    Rules,
    Seat,
    View,
    quote,
)
from strongroom.games.guessing import CodesLeft
from strongroom.games.quantum_duel.rules import CELLS, Fate, Observe
from strongroom.games.safe_code.clues import FIRST_CLUES, Clue
from strongroom.games.safe_code.kinds import LOWEST
from strongroom.games.safe_code.rules import CLUES_EACH, NUMBERS, NumbersLeft
from strongroom.games.safecracker_duel.rules import CODES, INITIAL_SAFE
from strongroom.minds.observation import Observer, Vector
from strongroom.referee.bout import TURN_LIMIT

Flags = NDArray[np.bool_]
Parts = dict[str, Flags]
BEST_BITS: Final = 3
"""How many bits the best guess's matches plus 1 take."""


class Public(NamedTuple):
    """What follows from the public history of a game, kept up to date from move to move."""

    events: Sequence[Event]
    """The history itself, as a list."""
    left: Mapping[Seat, Candidates | None]
    """For each seat, what its opponent can still hide, by the rules' own count."""

    @classmethod
    def of(cls, view: View) -> Public:
        """What follows from the history of a view, read from its beginning."""
        counted = {seat: view.game.candidates(seat) for seat in Seat}
        left = {seat: each and each.after_all(view.history) for seat, each in counted.items()}
        return cls(tuple(view.history), left)


class SeatKnowledge:
    """Writes what a view tells its seat, in parts by name, each some booleans."""

    def __init__(self, game: Game, turn_limit: int) -> None:
        writers: dict[str, Callable[[View, Public], Parts]] = {
            "digit-deductions": self.guessing,
            "quantum-duel": self.quantum_duel,
            "safe-code": self.safe_code,
            "safe-cracker": self.safe_cracker,
            "safecracker-duel": self.safecracker_duel,
        }
        if game.name not in writers:
            told = "Observe it in numbers, with strongroom.minds.observation.Observer."
            raise Refusal(f"It is not said what flags of {game.title} mean.", told)
        longest = game.longest_game(turn_limit)
        assert longest is not None
        self.game = game
        self.number_bits: int = longest.bit_length()
        self.turn_bits: int = turn_limit.bit_length()
        self._write = writers[game.name]

    def parts(self, view: View, public: Public) -> Parts:
        """What a seat knows."""
        return {"to move": one_bit(view.actor is view.seat), **self._write(view, public)}

    def guessing(self, view: View, public: Public) -> Parts:
        """The moves made, one's code, and what the answers to each seat's guesses leave."""
        assert view.seat is not None
        own = [view.game.actions.index(code) for code in view.secret]
        size = view.game.actions.by_players
        return {
            "number": count_bits(view.number, self.number_bits),
            "own code": one_of(own[0] if own else None, size),
            "left to me": codes_left(public.left[view.seat], size),
            "left to the other": codes_left(public.left[view.seat.other], size),
        }

    def safe_cracker(self, view: View, public: Public) -> Parts:
        """With limited attempts also the most matches of a miss, and whose guess had them first."""
        parts = self.guessing(view, public)
        chosen = view.game.options.to_json()
        if chosen["attempts"] is None:
            return parts
        told = [(e.actor, e.answer) for e in public.events if isinstance(e.answer, int)]
        missed = [(actor, matches) for actor, matches in told if matches < chosen["length"]]
        most = max((matches for _, matches in missed), default=-1)
        first = next((actor for actor, matches in missed if matches == most), None)
        parts["best"] = bits(most + 1, BEST_BITS)
        parts["best is mine"] = one_bit(first is view.seat)
        return parts

    def safecracker_duel(self, view: View, public: Public) -> Parts:
        """The moves made, one's code, the safe now, before and early, and what it has shown."""
        assert view.seat is not None
        unshown = public.left[view.seat]
        assert isinstance(unshown, CodesLeft)
        events = public.events
        before = events[-2].answer if len(events) > 1 else INITIAL_SAFE
        early = [events[n].answer if len(events) > n else None for n in (0, 1)]
        return {
            "number": count_bits(view.number, self.number_bits),
            "own code": digit_flags(view.secret[0] if view.secret else None),
            "safe": digit_flags(view.board),
            "previous safe": digit_flags(before if events else None),
            "first safe": digit_flags(early[0]),
            "second safe": digit_flags(early[1]),
            "shown": ~bits(unshown.bits, len(CODES.codes)),
        }

    def safe_code(self, view: View, public: Public) -> Parts:
        """The moves made, one's secrets, the clues given, and the numbers that they leave."""
        assert view.seat is not None
        own = view.game.actions.index(view.secret[0]) - len(FIRST_CLUES) if view.secret else None
        asked = [event.answer for event in public.events if event.actor is view.seat]
        return {
            "number": count_bits(view.number, self.number_bits),
            "own code": one_of(own, len(NUMBERS)),
            "own clues": clue_numbers(view.game, view.secret[1:]),
            "clues given to me": clue_numbers(view.game, [a for a in asked if isinstance(a, Clue)]),
            "clues given to the other": bits(view.board[view.seat.other.index], 2),
            "left to me": numbers_left(public.left[view.seat]),
            "left to the other": numbers_left(public.left[view.seat.other]),
        }

    def quantum_duel(self, view: View, public: Public) -> Parts:
        """The turns made, whose symbol each cell holds, and the cell that may be challenged."""
        assert view.seat is not None
        latest = public.events[-1] if public.events else None
        contested = None
        if latest is not None and latest.answer is Fate.OPEN and isinstance(latest.move, Observe):
            contested = latest.move.cell - 1
        return {
            "turns": count_bits(view.turns, self.turn_bits),
            "my cells": np.array([cell is view.seat for cell in view.board]),
            "the other's cells": np.array([cell is view.seat.other for cell in view.board]),
            "contested": one_of(contested, CELLS),
        }


class FlagObserver(Observer):
    """Writes what seats know in flags, 0 or 1, the same as an observation of `strongroom.vector`.

    >>> from strongroom import load
    >>> observer = FlagObserver(load("quantum-duel"))
    >>> state = observer.game.start().play(observer.game.move("4"))
    >>> observer.layout["the other's cells"], int(observer.observe(state.view(Seat.TWO)).sum())
    (slice(15, 22, None), 3)
    """

    def __init__(self, game: Game, turn_limit: int | None = TURN_LIMIT) -> None:
        if turn_limit is None:
            told = f"Set one, like turn_limit={TURN_LIMIT}."
            raise Refusal("Flags count moves in bits, for which there must be a turn limit.", told)
        super().__init__(game, turn_limit, memory=0)
        self._knowledge, self._tracker = SeatKnowledge(game, turn_limit), CandidateTracker(game)
        self.layout: dict[str, slice] = {}
        """Where each part stands; [Billions of moves](vector.md) says what each is."""
        self.size: int = 0
        for name, part in self.parts(game.start().view(Seat.ONE)).items():
            self.layout[name] = slice(self.size, self.size + len(part))
            self.size += len(part)
        self.least, self.largest, self.dtype = 0, 1, np.dtype(np.int8)

    def parts(self, view: View) -> Parts:
        """What a seat knows, in parts by name."""
        left = {seat: self._tracker.left_for(seat, view.history) for seat in Seat}
        return self._knowledge.parts(view, Public(view.history, left))

    def observe(self, view: View) -> Vector:
        """All parts, one after the other."""
        return np.concatenate([*self.parts(view).values()]).view(np.int8)


Observation = Literal["numbers", "flags"]
"""What an environment observes: all that a seat knows in numbers, or flags for a network."""
OBSERVATIONS: Final[tuple[str, ...]] = get_args(Observation)


def observer_of(
    game: Game, observation: Observation, turn_limit: int | None, memory: int | None
) -> Observer:
    """What writes the observations of an environment."""
    if observation == "numbers":
        return Observer(game, turn_limit, memory)
    if observation not in OBSERVATIONS:
        told = f"Choose from: {', '.join(OBSERVATIONS)}."
        raise Refusal(f"observation cannot be {quote(str(observation))}.", told)
    if memory is not None:
        raise Refusal("Flags have no memory of events.", "Leave out memory.")
    return FlagObserver(game, turn_limit)


def codes_left(left: Candidates | None, size: int) -> Flags:
    """A flag for each code, whether it can still be hidden."""
    assert isinstance(left, CodesLeft)
    return bits(left.bits, size)


def numbers_left(left: Candidates | None) -> Flags:
    """A flag for each number, whether it can still be hidden."""
    assert isinstance(left, NumbersLeft)
    return _number_flags(left.numbers)


@lru_cache(maxsize=2**14)
def _number_flags(numbers: frozenset[int]) -> Flags:
    return bits(sum(1 << number - LOWEST for number in numbers), len(NUMBERS))


def clue_numbers(game: Rules, clues: Sequence[Move]) -> Flags:
    """The number of each clue plus 1, in bits; 0 for each that is not there."""
    numbers = [game.actions.index(clue) + 1 for clue in clues]
    width = len(game.actions).bit_length()
    return bits(sum(n << width * place for place, n in enumerate(numbers)), width * CLUES_EACH)


def digit_flags(code: Any) -> Flags:
    """A flag for each digit at each position of a code; none is set if there is no code."""
    return _digit_flags(() if code is None else code.digits)


@lru_cache(maxsize=1024)
def _digit_flags(digits: tuple[int, ...]) -> Flags:
    flags = np.zeros((CODES.length, CODES.highest), bool)
    for position, digit in enumerate(digits):
        flags[position, digit - 1] = True
    return flags.ravel()


@lru_cache(maxsize=2**17)
def bits(number: int, width: int) -> Flags:
    """The bits of a number, the lowest first.

    >>> bits(6, 4).tolist()
    [False, True, True, False]
    """
    data = np.frombuffer(number.to_bytes(-(-width // 8), "little"), np.uint8)
    return np.unpackbits(data, bitorder="little", count=width).view(np.bool_)


def count_bits(count: int, width: int) -> Flags:
    """The bits of a count, of which a match with a higher turn limit may have too many."""
    return bits(min(count, (1 << width) - 1), width)


@lru_cache(maxsize=2**14)
def one_of(number: int | None, size: int) -> Flags:
    """Only the flag with this number is set; none if it is None."""
    flags = np.zeros(size, bool)
    if number is not None:
        flags[number] = True
    return flags


@lru_cache(maxsize=2)
def one_bit(flag: bool) -> Flags:
    """A flag on its own."""
    return np.array([flag])
