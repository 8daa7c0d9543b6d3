"""What decisions are worth in Safe Cracker, by best responses to a strategy.

The strategy ignores its own code and hides uniformly, so to the responder, who knows its own code,
all codes that fit are equally likely. What the responder wins therefore depends on the strategy's
mind (both nodes, and what it remembers), on the name of the responder's code at the strategy's
node, and on the turns left. A match that is open at the turn limit counts as half a win.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from functools import cache, cached_property, lru_cache, partial
from typing import Final, NamedTuple

import numpy as np

from strongroom.contract import Event, Move, Seat, View
from strongroom.contract.history import HistoryFold
from strongroom.theory.safe_cracker.player import Mind, RaceGuesser, Stand
from strongroom.theory.safe_cracker.race import ActionArrays, Split, typical
from strongroom.theory.solution import Flags, Floats, Ints, NotProved
from strongroom.theory.worth import (
    Judgement,
    Turns,
    Unreachable,
    Worth,
    equally_likely,
    one_fewer,
)

Wins = Sequence[Fraction] | Floats
"""The responder's win probability with each code of a node."""

HALF: Final = Fraction(1, 2)


class CodeResponse(ABC):
    """The best response of a player who knows its own code."""

    def __init__(self, guesser: RaceGuesser) -> None:
        self.guesser = guesser

    @abstractmethod
    def most_guesses(self, mind: Mind) -> int:
        """A bound on how many more guesses the strategy can need."""

    @abstractmethod
    def to_move(self, mind: Mind, turns: Turns = None) -> Wins:
        """The responder to move: its win probability with each code of the node `mind.own`."""

    @abstractmethod
    def to_wait(self, mind: Mind, turns: Turns = None) -> Wins:
        """The same while the strategy is to move."""


class ExactResponse(CodeResponse):
    """The best response in fractions, for few nodes, to a strategy with or without memory.

    The table says what the responder's guesses leave; the proof checks that.
    """

    def __init__(self, guesser: RaceGuesser) -> None:
        super().__init__(guesser)
        self.answers = guesser.space.game.answer_table.tolist()
        self.sets = [codes.tolist() for codes in guesser.sets]
        self.length = guesser.space.game.options.length
        self.splits = cache(self._splits)
        self.moves: dict[tuple[Mind, Turns], list[Fraction]] = {}
        self.waits: dict[tuple[Mind, Turns], list[Fraction]] = {}

    def most_guesses(self, mind: Mind) -> int:
        """Every guess rules out a code."""
        return len(self.sets[mind.own])

    def to_move(self, mind: Mind, turns: Turns = None) -> list[Fraction]:
        """The responder to move: its win probability with each code of the node `mind.own`."""
        codes, count = self.sets[mind.other], len(self.sets[mind.own])
        if turns == 0:
            return [HALF] * count
        if len(codes) == 1:
            return [Fraction(1)] * count
        turns = effective(turns, 2 * self.most_guesses(mind))
        if (mind, turns) not in self.moves:
            best = [Fraction(0)] * count
            for hit, cells in self.splits(mind.other):
                total = [Fraction(hit)] * count
                for cell in cells:
                    size = len(self.sets[cell])
                    waits = self.to_wait(mind.hearing(cell), one_fewer(turns))
                    total = [t + size * v for t, v in zip(total, waits, strict=True)]
                best = list(map(max, best, total))
            self.moves[mind, turns] = [value / len(codes) for value in best]
        return self.moves[mind, turns]

    def to_wait(self, mind: Mind, turns: Turns = None) -> list[Fraction]:
        """The same while the strategy is to move."""
        codes = self.sets[mind.own]
        if turns == 0:
            return [HALF] * len(codes)
        turns = effective(turns, 2 * self.most_guesses(mind) - 1)
        if (mind, turns) not in self.waits:
            total = dict.fromkeys(codes, Fraction(0))
            for guess, share in self._draw(mind).items():
                line = self.answers[guess]
                for answer in {line[code] for code in codes} - {self.length}:
                    then, names = self.guesser.mind_after_own(mind, guess, answer)
                    if then.own == mind.own:  # rules out endless games
                        raise NotProved("The strategy guesses what tells it nothing.")
                    kept = [code for code in codes if line[code] == answer]
                    places_of(names[kept], self.guesser.sets[then.own])
                    moves = self.to_move(then, one_fewer(turns))
                    values = dict(zip(self.sets[then.own], moves, strict=True))
                    for code in kept:
                        total[code] += share * values[int(names[code])]
            self.waits[mind, turns] = list(total.values())
        return self.waits[mind, turns]

    def _splits(self, node: int) -> set[Split]:
        """What the responder's guesses do to a node; those with the same consequences once."""
        found = {Split(hit, tuple(sorted(cells))) for hit, cells in self.guesser.splits(node)}
        idle = (self.guesser.table["orbits"][node] < 0).any()
        return found | {Split(False, (node,))} if idle else found

    def _draw(self, mind: Mind) -> dict[int, Fraction]:
        """The strategy's probability of each guess, checked to be a distribution."""
        draw = self.guesser.draw(mind, self.guesser.same)
        if sum(draw.values()) != 1 or min(draw.values()) < 0:
            raise NotProved("The chances of some guesses do not add up to 1.")
        return draw


class Response:
    """The responder's choice among all its guesses at all its nodes at once."""

    def __init__(self, actions: ActionArrays) -> None:
        self.actions = actions
        self.count = len(actions.order)
        self.place = np.empty(self.count, np.int64)
        self.place[actions.order] = np.arange(self.count)
        lengths = np.diff([*actions.starts, len(actions.hit)])
        self.owner = np.repeat(np.array(actions.order), lengths)

    def best(self, turn: Floats, may_pass: Flags | bool = True) -> Floats:
        """What the responder to move wins: [its own node, its code].

        `turn` is what it wins when the strategy is to move. Every guess is tried, including those
        that tell nothing at nodes where it `may_pass`.
        """
        size, hit, cells = self.actions.size, self.actions.hit, self.actions.cells
        padded = np.vstack([turn, np.zeros(turn.shape[1])])
        wins = hit[:, None] + sum(size[c][:, None] * padded[c] for c in cells.T)
        wins /= size[self.owner][:, None]
        best = np.maximum.reduceat(wins, self.actions.starts)[self.place]
        return np.where(may_pass, np.maximum(turn, best), best)


class Pursuit(NamedTuple):
    """How a strategy of one action per pair of nodes goes on from one of its nodes.

    Codes are of one kind if every action that it may choose there leaves them as the same kinds
    with the same chances; so the responder wins the same with them, and kinds are few.
    """

    kinds: Ints
    """The kind of each code of the node."""
    cells: tuple[int, ...]
    """The nodes that can be left."""
    goes: dict[int, Floats]
    """By action, how likely each kind (column) is left as each kind of each cell (row)."""
    most_guesses: int
    """The most guesses that the strategy makes from here."""


class RaceResponse(CodeResponse):
    """The best response in floats to a strategy of one action per pair of nodes, without memory.

    Nodes that the strategy never visits are left out; the others are met when they are needed,
    against all nodes of the responder at once.
    """

    def __init__(self, guesser: RaceGuesser) -> None:
        super().__init__(guesser)
        self.choice = guesser.table["choice"]
        self.pursuit = cache(self._pursuit)
        self.move_values, self.wait_values = cache(self._move), cache(self._wait)
        splits: list[Counter[Split]] = []
        for y in range(len(self.choice)):
            orbit = guesser.table["orbits"][y]
            splits.append(Counter())
            for split, often in zip(guesser.splits(y), np.bincount(orbit[orbit >= 0]), strict=True):
                splits[-1][Split(split.hit, tuple(sorted(split.cells)))] += int(often)
        sizes = [len(codes) for codes in guesser.sets[: len(splits)]]
        self.responder = Response(ActionArrays(sizes, splits))
        idle = np.asarray(guesser.table["orbits"][: len(splits)] < 0)
        self.may_pass: Flags = np.asarray(idle.any(axis=1, keepdims=True))
        """Whether a guess tells nothing, by the responder's node: none does before its first."""

    def most_guesses(self, mind: Mind) -> int:
        """The most guesses that the strategy makes from its node."""
        return self.pursuit(mind.own).most_guesses

    def to_move(self, mind: Mind, turns: Turns = None) -> Floats:
        """The responder to move: its win probability with each code of the node `mind.own`."""
        turns = effective(turns, 2 * self.most_guesses(mind))
        wins: Floats = self.move_values(mind.own, turns)[mind.other]
        return wins[self.pursuit(mind.own).kinds]

    def to_wait(self, mind: Mind, turns: Turns = None) -> Floats:
        """The same while the strategy is to move."""
        turns = effective(turns, 2 * self.most_guesses(mind) - 1)
        wins: Floats = self.wait_values(mind.own, turns)[mind.other]
        return wins[self.pursuit(mind.own).kinds]

    def _move(self, x: int, turns: Turns) -> Floats:
        """The responder to move: [its own node, the kind of its code]."""
        pursuit = self.pursuit(x)
        if turns == 0:
            return np.full((len(self.choice), pursuit.kinds.max() + 1), 0.5)
        left = effective(one_fewer(turns), 2 * pursuit.most_guesses - 1)
        return self.responder.best(self.wait_values(x, left), self.may_pass)

    def _wait(self, x: int, turns: Turns) -> Floats:
        """The same while the strategy is to move."""
        pursuit = self.pursuit(x)
        turn = np.full((len(self.choice), pursuit.kinds.max() + 1), 0.5)
        if turns == 0:
            return turn
        moves = [np.empty((len(turn), 0))]
        for c in pursuit.cells:
            left = effective(one_fewer(turns), 2 * self.pursuit(c).most_guesses)
            moves.append(self.move_values(c, left))
        moved = np.hstack(moves)
        for k, goes in pursuit.goes.items():
            those = self.choice[x] == k
            turn[those] = moved[those] @ goes
        return turn

    def _pursuit(self, x: int) -> Pursuit:
        codes, orbit = self.guesser.sets[x], self.guesser.table["orbits"][x]
        first, slots = {}, 0
        begins: dict[int, int] = {}
        for k, left in self._left(x).items():
            first[k] = np.full(len(codes), -1)  # the codes that are hit
            for node, kept, there in left:
                if node not in begins:
                    begins[node] = slots
                    slots += int(self.pursuit(node).kinds.max()) + 1
                first[k][kept] = begins[node] + self.pursuit(node).kinds[there]
        counts = {k: np.zeros((slots + 1, len(codes)), np.int64) for k in first}
        for k, often, place in self._symmetries_to_first(x, [*first]):
            counts[k][first[k][place], np.arange(len(codes))] += often
        _, some, kinds = np.unique(
            np.vstack([*counts.values()]), axis=1, return_index=True, return_inverse=True
        )
        goes = {k: count[:-1, some] / (orbit == k).sum() for k, count in counts.items()}
        longest = max((self.pursuit(c).most_guesses for c in begins), default=0)
        return Pursuit(kinds.reshape(-1), tuple(begins), goes, longest + 1)

    def _left(self, x: int) -> dict[int, list[tuple[int, Ints, Ints]]]:
        """What each chosen action leaves: nodes, the codes kept, and their places there."""
        codes, firsts = self.guesser.sets[x], self.guesser.firsts(x)
        game = self.guesser.space.game
        chosen = np.unique(self.choice[x]).tolist()
        if not {*chosen} <= {*range(len(firsts))}:
            raise NotProved("The table chooses a guess that does not exist.")
        left: dict[int, list[tuple[int, Ints, Ints]]] = {}
        for k in chosen:
            line = game.answer_table[firsts[k], codes]
            answers = sorted({*line.tolist()} - {game.options.length})
            places = self.guesser.remains(x, [(firsts[k], answer) for answer in answers], False)
            left[k] = []
            for answer, (node, names) in zip(answers, places, strict=True):
                kept = np.flatnonzero(line == answer)
                if len(kept) == len(codes):  # rules out endless games
                    raise NotProved("The strategy guesses what tells it nothing.")
                there = places_of(names[codes[kept]], self.guesser.sets[node])
                left[k].append((node, kept, there))
        return left

    def _symmetries_to_first(self, x: int, chosen: list[int]) -> list[tuple[int, int, Ints]]:
        """For each guess of the chosen actions, a symmetry that takes it to the action's first.

        An action, the number of guesses that differ only in digits that no code has, and the place
        to which each code of the node is taken.
        """
        codes, orbit = self.guesser.sets[x], self.guesser.table["orbits"][x]
        firsts, lines = self.guesser.firsts(x), self.guesser.space.game.answer_table[:, codes]
        like = typical(self.guesser.space, codes)
        guesses, times = np.unique(like[np.isin(orbit, chosen)], return_counts=True)
        pairs = [(guess, firsts[orbit[guess]]) for guess in guesses.tolist()]
        turned = []
        symmetries = self.guesser.symmetries(x, pairs)
        for (guess, first), often, names in zip(pairs, times.tolist(), symmetries, strict=True):
            place = places_of(names[codes], codes)
            if not np.array_equal(lines[first][place], lines[guess]):
                raise NotProved("The table takes guesses for alike that are not.")
            turned.append((int(orbit[guess]), often, place))
        return turned


def response_to(guesser: RaceGuesser) -> CodeResponse:
    """The best response to a strategy, in fractions if it remembers types."""
    return ExactResponse(guesser) if guesser.coloured else RaceResponse(guesser)


def places_of(wanted: Ints, codes: Ints) -> Ints:
    """The index of each wanted code among the codes; each code must be wanted exactly once."""
    order = codes.argsort()
    if not np.array_equal(codes[order], np.sort(wanted)):
        raise NotProved("The table takes a set of codes for another.")
    return np.asarray(order[np.searchsorted(codes[order], wanted)], np.int64)


def effective(turns: Turns, longest: int) -> Turns:
    """The turns left, or None if a game that lasts at most `longest` turns cannot exceed them."""
    return None if turns is None or turns >= longest else turns


# --- every decision against the certified player ---

START = Mind(0, 0)
"""The mind before the first turn."""


class SafeCrackerWorth(Worth):
    """The worth of decisions in Safe Cracker.

    The certified player's guesses follow from its mind, which both players can work out from the
    public history. So the player knows no more that matters than that mind, the name of its own
    code at the mind's node, and the turns left.
    """

    horizons = (1, 2)

    def __init__(self, guesser: RaceGuesser) -> None:
        self.guesser = guesser
        start = Stand(START, guesser.same, guesser.same)
        self._stands = {
            master: HistoryFold[Event, Stand | None](start, partial(self._step, master))
            for master in Seat
        }
        # A player meets a few thousand of them; they take a few hundred bytes each.
        self._worth = lru_cache(maxsize=1 << 16)(self._worth_of_actions)

    @cached_property
    def response(self) -> CodeResponse:
        """The best response to the certified player."""
        return response_to(self.guesser)

    def start(self, seat: Seat, turns: Turns) -> float:
        """What a best response wins from this seat."""
        return max(self._hiding(seat, turns).values())

    def move_values(self, view: View, turns: Turns) -> dict[Move, float]:
        """What each move wins if a best response follows it."""
        assert view.seat is not None
        if view.setting_up:
            return self._hiding(view.seat, turns)
        stand = self._stands[view.seat.other].after(view.history)
        if stand is None:
            raise Unreachable
        moves, mind = self.guesser.space.game.actions, stand.mind
        code = int(stand.own[moves.index(view.secret[0])])
        worth = self._worth(mind, code, effective(turns, 2 * self.response.most_guesses(mind)))
        orbit = self.guesser.table["orbits"][mind.other, stand.other]
        return dict(zip(moves, worth[orbit].tolist(), strict=True))

    def suppose(self, view: View) -> Judgement:
        """What each guess wins in a race in which neither player makes use of its own code.

        All codes of the opponent that fit are equally likely.
        """
        guesser, stand = self.guesser, self.guesser.follow(view)
        x, names = guesser.plain(stand.mind.own)
        y, count = stand.mind.other, len(guesser.firsts(x))
        pairs = len(guesser.sets[x]) * len(guesser.sets[y])
        won = [guesser.won_with(x, y, k) / pairs for k in range(count)]
        worth = np.array([*won, 1 - guesser.race(y, x) / pairs])  # last a guess that tells nothing
        orbit = guesser.table["orbits"][x, names[stand.own]]
        moves = dict(zip(guesser.space.game.actions, worth[orbit].tolist(), strict=True))
        assumed = "the opponent no longer plays like Master, and neither makes use of its own code"
        return Judgement(moves, assumed)

    def odds(self, view: View) -> dict[Move, float]:
        """All codes that fit the answers are equally likely."""
        return equally_likely(view)

    def _hiding(self, seat: Seat, turns: Turns) -> dict[Move, float]:
        """What hiding each code wins."""
        wins = self.response.to_move if seat is Seat.ONE else self.response.to_wait
        by_name = dict(zip(self.guesser.sets[0].tolist(), wins(START, turns), strict=True))
        return {move: float(by_name[n]) for n, move in enumerate(self.guesser.space.game.actions)}

    def _worth_of_actions(self, mind: Mind, code: int, turns: Turns) -> Floats:
        """What each action wins, and last a guess that tells nothing, by the name of the code."""
        place = self.guesser.sets[mind.own].tolist().index(code)

        def waits(node: int) -> float:
            return float(self.response.to_wait(mind.hearing(node), one_fewer(turns))[place])

        count, sizes = len(self.guesser.sets[mind.other]), self.guesser.sets
        won = [
            (split.hit + sum(len(sizes[c]) * waits(c) for c in split.cells)) / count
            for split in self.guesser.splits(mind.other)
        ]
        return np.array([*won, waits(mind.other)])

    def _step(self, master: Seat, stand: Stand | None, event: Event) -> Stand | None:
        """The certified player's stand after an event; None if it never makes this guess."""
        assert isinstance(event.answer, int)
        if stand is None:
            return None
        guess = self.guesser.space.game.actions.index(event.move)
        if event.actor is not master:
            return self.guesser.after_other(stand, guess, event.answer)
        mixture, (node, names) = self.guesser.mixture(stand.mind)
        if not mixture.get(int(self.guesser.table["orbits"][node, names[stand.own[guess]]])):
            return None
        return self.guesser.after_own(stand, guess, event.answer)
