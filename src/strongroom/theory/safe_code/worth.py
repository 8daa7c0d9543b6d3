"""What decisions are worth at Safe Code against the certified player, to a player who races on.

What a best response wins depends on all that has happened, because the certified player keeps a
promise and spends what it gains. So V is what a player wins who from here on tries only numbers
that are left. Q is its exact mean over the certified player's next turn: its number is uniformly
distributed over those left, and its guesses tell nothing about it. Only once the opponent has few
numbers left to try is the rest of the game short enough to be searched for a best response.

Racing gives nothing away. So as long as nothing has been given away, V is the value of the race,
whatever the player's clues say, and nobody can win more: in the set-up every choice is a best one.
Clues cost where they are used: whoever asks, or wastes a turn, lets the certified player ask back.

Once it has a surplus to spend, the certified player asks, and tries the number first that the clues
make likeliest. So a second V is what a player wins if the certified player asks for every clue that
is left and then tries its numbers in that order, while the player tries its own in any order.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import replace
from enum import Enum
from fractions import Fraction
from functools import cache, lru_cache
from typing import Final, Generic, TypeVar

import numpy as np

from strongroom.contract import Event, Move, Seat, View
from strongroom.games.safe_code.rules import CLUES_EACH, REQUEST
from strongroom.theory.safe_code.player import (
    CAREFUL,
    ClueLanguage,
    PromiseKeeper,
    Standing,
    after_asking,
    beliefs,
    in_order,
)
from strongroom.theory.worth import Judgement, Turns, Worth, equally_likely, one_fewer

K = TypeVar("K", bound=Hashable)
HALF = Fraction(1, 2)
THEY = Seat.ONE
"""A seat for the certified player where it makes no difference which it is."""
REMEMBERED = 1 << 12
"""How many positions are remembered."""

# --- the kinds of moves in a turn ---
#
# The certified player's number is uniformly distributed over those left to the other player, and
# its clues are the weakest: so all moves of a kind are worth the same.

Replied = Callable[[Move, Move | bool], Fraction]
"""The mean worth after a move, its answer, and the certified player's turn."""


class Kind(Enum):
    """What a move does; all moves of a kind are worth the same."""

    OPEN = "tries a number that is still possible"
    CLOSED = "tries one that is not"
    REQUEST = "asks for a clue"


class WorthByKind(Mapping[Move, float], Generic[K]):
    """The worth of each move, computed for its kind when it is first looked up.

    `moves` are the legal ones, if there are kinds of others, too.
    """

    def __init__(
        self,
        kinds: Mapping[Move, K],
        worth_of: Callable[[K], Fraction | float],
        moves: Sequence[Move] = (),
    ) -> None:
        self._kinds, self._moves = kinds, moves or [*kinds]
        self._worth_of = cache(lambda kind: float(worth_of(kind)))

    def __getitem__(self, move: Move) -> float:
        return self._worth_of(self._kinds[move])

    def __iter__(self) -> Iterator[Move]:
        return iter(self._moves)

    def __len__(self) -> int:
        return len(self._moves)

    def __reduce__(self) -> tuple[type, tuple[dict[Move, float]]]:
        return dict, ({**self},)


def kinds_of(view: View, language: ClueLanguage, now: Standing) -> dict[Move, Kind]:
    """The kind of each legal move, given the certified player's standing."""
    possible = {language.numbers[x] for x in now.open}
    kinds = {move: Kind.OPEN if move in possible else Kind.CLOSED for move in view.moves}
    if REQUEST in kinds:
        kinds[REQUEST] = Kind.REQUEST
    return kinds


def worth_of_kind(
    kind: Kind, language: ClueLanguage, now: Standing, asked: int, replied: Replied
) -> Fraction:
    """The mean worth of a move, over its answers, to a player who has asked this often.

    A clue rules out a uniformly drawn number that no other clue has; it tells nothing if that
    number has been tried already.
    """
    numbers, possible = language.numbers, now.open
    if kind is Kind.OPEN:
        hit = Fraction(1, len(possible))
        missed = replied(numbers[possible[0]], False) if hit < 1 else 0
        return hit + (1 - hit) * missed
    closed = next((x for x in range(len(numbers)) if x not in possible), None)
    if kind is Kind.CLOSED:
        assert closed is not None
        return replied(numbers[closed], False)
    fresh, worth = Fraction(len(possible) - 1, len(numbers) - asked - 1), Fraction(0)
    for chance, out in ((fresh, possible[0]), (1 - fresh, closed)):
        if chance:
            assert out is not None
            worth += chance * replied(REQUEST, language.weakest[numbers[out].value])
    return worth


# --- the end of a game, searched exactly ---

SEARCHED: Final = 5
"""With at most this many numbers left to the opponent, the rest of the game is searched."""


class Ending:
    """The rest of a game, as the player in one seat faces it."""

    def __init__(self, player: PromiseKeeper, view: View) -> None:
        assert view.seat is not None
        self._player, self._seat = player, view.seat
        self._own, *self._clues = view.secret
        self._asked: int = view.board[view.seat.index]
        self._now = player.standing(view, view.seat.other)
        self._known: dict[tuple[Standing, int, int], Fraction] = {}

    @property
    def searchable(self) -> bool:
        """Whether the rest of the game is short enough."""
        return len(self._now.left) <= SEARCHED

    def move_values(self, view: View) -> dict[Move, float]:
        """What each legal move wins if a best response follows it."""
        worth = self._options(self._now, self._asked)
        kinds = kinds_of(view, self._player.language, self._now)
        return {move: float(worth[kind]) for move, kind in kinds.items()}

    def _options(self, now: Standing, asked: int) -> dict[Kind, Fraction]:
        """What a move wins, by the kinds that are possible."""
        kinds = [Kind.OPEN]
        if len(now.open) < len(self._player.language.numbers):
            kinds.append(Kind.CLOSED)
        if asked < CLUES_EACH:
            kinds.append(Kind.REQUEST)
        return {kind: self._worth(kind, now, asked) for kind in kinds}

    def _worth(self, kind: Kind, now: Standing, asked: int) -> Fraction:
        later = asked + (kind is Kind.REQUEST)

        def value_after_reply(move: Move, answer: Move | bool) -> Fraction:
            return self._value_after_reply(now, later, move, answer)

        return worth_of_kind(kind, self._player.language, now, asked, value_after_reply)

    def _value_after_reply(
        self, now: Standing, asked: int, move: Move, answer: Move | bool
    ) -> Fraction:
        """What is won after a move, its answer, and the certified player's turn."""
        them = self._seat.other
        now = self._player.after(them, now, Event(self._seat, move, answer))
        worth = Fraction(0)
        for reply, chance in self._player.mixture(now).items():
            if reply == self._own:
                continue
            clue_or_miss = self._clues[len(now.seen)] if reply == REQUEST else False
            after = self._player.after(them, now, Event(them, reply, clue_or_miss))
            worth += chance * self._value(after, asked)
        return worth

    def _value(self, now: Standing, asked: int) -> Fraction:
        key = replace(now, open=()), len(now.open), asked
        if key not in self._known:
            self._known[key] = max(self._options(now, asked).values())
        return self._known[key]


# --- racing on ---


class RaceWorth(Worth):
    """What a player wins who races on, and its mean after each move."""

    baseline = "what racing on wins"
    optimal = False
    assumes = "the opponent plays like Master and faces only guesses after this"
    horizons = (1, 2)

    def __init__(self, player: PromiseKeeper) -> None:
        self.player, self.race, self.language = player, player.race, player.language
        self._racing_on = lru_cache(maxsize=REMEMBERED)(self._race_on)

    def start(self, seat: Seat, turns: Turns) -> float:
        """The value of the whole race."""
        root = self.race.to_move if seat is Seat.ONE else self.race.waiting
        return float(root(self.race.size, self.race.size))

    def ceiling(self, seat: Seat, turns: Turns) -> float:
        """The value of the whole race, because the certified player concedes no more."""
        return self.start(seat, turns)

    def value(self, view: View, turns: Turns) -> float:
        """What racing on wins from here on."""
        assert view.seat is not None
        if view.setting_up:
            return self.start(view.seat, turns)
        clues = self._clues_left(view, view.secret[1:])
        return float(self._to_move(self._standing(view), view.secret[0], clues, turns))

    def move_values(self, view: View, turns: Turns) -> Mapping[Move, float]:
        """What racing on wins after each move, on average."""
        assert view.seat is not None
        if view.setting_up:
            return self._set_up(view, turns)
        now, later = self._standing(view), one_fewer(turns)
        own, clues = view.secret[0], self._clues_left(view, view.secret[1:])
        seat, asked = view.seat, view.board[view.seat.index]

        def value_after_reply(move: Move, answer: Move | bool) -> Fraction:
            after = self.player.after(seat.other, now, Event(seat, move, answer))
            return self._reply(after, own, clues, later)

        def worth_of(kind: Kind) -> Fraction:
            return worth_of_kind(kind, self.language, now, asked, value_after_reply)

        return WorthByKind(kinds_of(view, self.language, now), worth_of)

    def _judge(self, view: View) -> Judgement:
        """What racing on wins after each move, unless the clues of one player matter more.

        Until something is given away, all clues are alike against the certified player: only a
        belief tells those to write from others.
        """
        assert view.seat is not None
        now = self.player.standing(view, view.seat)
        if (view.setting_up and view.secret) or self.player.reads_plain_clues(now):
            return self.suppose(view)
        return super()._judge(view)

    def suppose(self, view: View) -> Judgement:
        """The win probability after each move, if both only guess from then on.

        The opponent draws a kind of clue at random, then a true clue of that kind. In the set-up,
        it is assumed to ask for the number of clues that pays best.
        """
        assert view.seat is not None
        if view.setting_up:
            assumed = "the opponent asks for clues only as long as that pays"
            return Judgement(self._clues(view), assumed)
        language, now = self.language, self.player.standing(view, view.seat)
        likely = beliefs(language, now.seen, now.left, 1.0)
        belief, theirs = likely[0] + likely[1], len(now.open)
        worth: dict[Move, float] = {}
        for move in view.moves:
            if move == REQUEST:
                worth[move] = after_asking(language, likely, theirs)
                continue
            tried = language.index[move]
            others = np.delete(belief, tried)
            worth[move] = float(belief[tried]) + in_order(others, theirs, waiting=True)
        assumed = "the opponent, whose clues give away more than Master's, chose them at random"
        return Judgement(worth, assumed)

    def _clues(self, view: View) -> dict[Move, float]:
        """What writing each clue wins if the opponent first asks as often as pays best."""
        language = self.language
        written = [language.index[clue] for clue in view.secret[1:]]
        size, rows = len(language.numbers), language.true[written]

        @cache
        def worth(*clues: bytes) -> float:
            fits, left = np.ones(size, dtype=bool), [size]
            for clue in clues:
                fits &= np.frombuffer(clue, dtype=bool)
                left.append(int(fits.sum()))
            first = view.seat is Seat.ONE
            return min(_against(size, asked, each, first) for asked, each in enumerate(left))

        known = [row.tobytes() for row in rows]
        return {m: worth(*known, language.true[language.index[m]].tobytes()) for m in view.moves}

    def best_response(self, view: View) -> Mapping[Move, float] | None:
        """What each move wins if a best response follows it, where the rest can be searched."""
        if view.setting_up:
            return None
        ending = Ending(self.player, view)
        return ending.move_values(view) if ending.searchable else None

    def odds(self, view: View) -> dict[Move, float]:
        """All numbers left are equally likely."""
        return equally_likely(view)

    def _set_up(self, view: View, turns: Turns) -> Mapping[Move, float]:
        """Every choice is worth the race: a player who races on is never asked for a clue."""
        assert view.seat is not None
        if view.seat is Seat.ONE or len(view.secret) < CLUES_EACH:
            return dict.fromkeys(view.moves, self.start(view.seat, turns))
        now = self.player.start(view.seat.other)
        worth = self._reply(now, view.secret[0], (), turns)
        return dict.fromkeys(view.moves, float(worth))

    def _reply(self, now: Standing, own: Move, clues: Sequence[Move], turns: Turns) -> Fraction:
        """The mean of V after the certified player's turn, given one's own number and clues."""
        if turns == 0:
            return HALF
        mixture, later = self.player.mixture(now), one_fewer(turns)
        ask, hit = mixture.pop(REQUEST, Fraction(0)), mixture.pop(own, Fraction(0))
        worth = Fraction(0)
        if ask:
            after = self.player.after(THEY, now, Event(THEY, REQUEST, clues[0]))
            worth += ask * self._to_move(after, own, clues[1:], later)
        if len(mixture) == 1:  # it leans towards a number, or has no other to try
            (guess,) = mixture
            missed = self.player.after(THEY, now, Event(THEY, guess, False))
            worth += (1 - ask - hit) * self._to_move(missed, own, clues, later)
        elif mixture:  # after these guesses nothing is left to spend, or no clue to read
            race = self.race.to_move(len(now.open), len(now.left) - 1)
            worth += (1 - ask - hit) * (HALF if later == 0 else race)
        return worth

    def _to_move(self, now: Standing, own: Move, clues: Sequence[Move], turns: Turns) -> Fraction:
        """V when the player is to move."""
        if turns == 0:
            return HALF
        mine, theirs = len(now.open), len(now.left)
        if not now.seen or now.owed == self.race.waiting(theirs, mine):
            return self.race.to_move(mine, theirs)
        # Which numbers are left to the player makes no difference, only how many.
        return self._racing_on(replace(now, open=tuple(range(mine))), own, tuple(clues))

    def _race_on(self, now: Standing, own: Move, clues: tuple[Move, ...]) -> Fraction:
        """What racing on wins while the certified player has something to spend."""
        hit = Fraction(1, len(now.open))
        if hit == 1:
            return hit
        tried = Event(THEY.other, self.language.numbers[now.open[0]], False)
        missed = self.player.after(THEY, now, tried)
        return hit + (1 - hit) * self._reply(missed, own, clues, None)

    def _standing(self, view: View) -> Standing:
        """The certified player's standing: its `open` are the viewer's numbers left."""
        assert view.seat is not None
        return self.player.standing(view, view.seat.other)

    def _clues_left(self, view: View, clues: Sequence[Move]) -> Sequence[Move]:
        assert view.seat is not None
        return clues[view.board[view.seat.other.index] :]


@lru_cache(maxsize=4096)
def _against(size: int, lost: int, left: int, first: bool) -> float:
    """The chance to win with `size` numbers against an opponent with `left`, `lost` turns late.

    >>> [_against(2, 0, 2, first) for first in (True, False)]
    [0.75, 0.25]
    """
    mine = np.arange(1, size + 1)
    theirs = lost + np.arange(1, left + 1)
    return float(np.mean(mine[:, None] <= theirs if first else mine[:, None] < theirs))


# --- how soon clues betray the number ---

TIED = 1e-9
"""Numbers whose likelihoods differ by no more than this share are tried in their order."""


class ExposureWorth(RaceWorth):
    """The win probability against an opponent who asks for all clues and goes by its belief."""

    baseline = "what is won before the clues betray the number"

    def __init__(self, player: PromiseKeeper) -> None:
        super().__init__(player)
        first, writers = dict[bytes, int](), (self.language.careful, self.language.plain)
        self._meanings: dict[Move, int] = {
            clue: first.setdefault(b"".join(each[i].tobytes() for each in writers), i)
            for i, clue in enumerate(self.language.clues)
        }
        """The first clue, by index, that tells the reader of clues the same as each clue."""
        self._ahead = lru_cache(maxsize=REMEMBERED)(self._find_ahead)

    def value(self, view: View, turns: Turns) -> float:
        """The win probability from here on."""
        assert view.seat is not None
        if view.setting_up:
            return self._after_choices(view.seat, view.secret, turns)
        now = self._standing(view)
        clues = self._clues_left(view, view.secret[1:])
        ahead = self.ahead(now, view.secret[0], clues)
        return float(_before(len(ahead) + len(clues) + 1, len(now.open)))

    def ahead(self, now: Standing, own: Move, clues: Sequence[Move]) -> frozenset[int]:
        """The numbers that would be tried before one's own, after these further clues."""
        index = self.language.index
        further = tuple(index[clue] for clue in clues)
        return self._ahead((*now.seen, *further), now.left, index[own])

    def _find_ahead(self, seen: tuple[int, ...], left: tuple[int, ...], own: int) -> frozenset[int]:
        true = np.logical_and.reduce(self.language.true[list(seen)])
        fitting = [x for x in left if true[x]]
        careful, plain = beliefs(self.language, seen, tuple(fitting), CAREFUL)
        likely = careful + plain
        bar = likely[own] * TIED
        return frozenset(
            x
            for x in fitting
            if likely[x] > likely[own] + bar or (likely[x] >= likely[own] - bar and x < own)
        )

    def _after_choices(self, seat: Seat, chosen: Sequence[Move], turns: Turns) -> float:
        """The win probability after some choices of the set-up."""
        own, *clues = chosen or (None,)
        if not clues or own is None:
            return self.start(seat, turns)
        ahead = self.ahead(self.player.start(seat.other), own, clues)
        turn = int(seat is Seat.ONE)
        return float(_before(len(ahead) + len(clues) + turn, self.race.size))

    def _set_up(self, view: View, turns: Turns) -> Mapping[Move, float]:
        """The win probability after each choice; clues that tell the reader the same share it."""
        seat = view.seat
        assert seat is not None
        if not view.secret:
            return dict.fromkeys(view.moves, self.start(seat, turns))
        last = seat is Seat.TWO and len(view.secret) == CLUES_EACH

        def worth_of(meaning: int) -> float:
            clues = (*view.secret[1:], self.language.clues[meaning])
            if last:
                now = self.player.start(seat.other)
                return float(self._reply(now, view.secret[0], clues, turns))
            return self._after_choices(seat, (view.secret[0], *clues), turns)

        return WorthByKind(self._meanings, worth_of, view.moves)

    def _reply(self, now: Standing, own: Move, clues: Sequence[Move], turns: Turns) -> Fraction:
        """The mean after the certified player's turn, given one's own number and clues."""
        if turns == 0:
            return HALF
        mixture, numbers = self.player.mixture(now), self.language.numbers
        ask, hit = mixture.get(REQUEST, Fraction(0)), mixture.get(own, Fraction(0))
        if turns == 1:
            return HALF * (1 - hit)
        ahead, mine = self.ahead(now, own, clues), len(now.open)
        soonest = len(ahead) + len(clues) + 1
        sooner = ask + sum(mixture.get(numbers[x], Fraction(0)) for x in ahead)
        worth = (1 - sooner - hit) * _before(soonest, mine)
        if sooner:
            worth += sooner * _before(soonest - 1, mine)
        return worth


def _before(turns: int, numbers: int) -> Fraction:
    """The probability of finding one of these numbers within so many turns."""
    return min(Fraction(1), Fraction(turns, numbers))
