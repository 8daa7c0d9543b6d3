"""Safecracker Duel: set the shared safe to your own code before the opponent sets it to theirs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import product, starmap
from typing import Any, Self

from strongroom.contract import (
    Actions,
    Answer,
    Answers,
    Block,
    Event,
    Game,
    Move,
    NotLegal,
    Options,
    Outcome,
    Phase,
    Reason,
    Rule,
    Seat,
    State,
    option,
    require_int,
)
from strongroom.contract.history import HistoryFold
from strongroom.games.codes import Code, CodeSpace
from strongroom.games.guessing import Unshown, every_code

CODES = CodeSpace(length=3, highest=5)
INITIAL_SAFE = Code((1, 1, 1))
Position = tuple[Answer, Seat]
"""What the safe shows, and who is to move."""


class SafecrackerDuelRule(Rule):
    """The rules that can forbid a change of one digit."""

    NO_PASSING = "no passing"
    FIRST_TURN_LIMITATION = "first-turn limitation"


class SafecrackerDuelReason(Reason):
    """A player wins when the safe shows their code: set by themselves or handed by the opponent."""

    MATCHED = "matched"
    HANDED = "handed"


@dataclass(frozen=True)
class SafecrackerDuelOptions(Options):
    """The one option: how "change exactly one digit" is read."""

    allow_same_digit: bool = option(False, "a digit may be replaced by itself, which is a pass")


@dataclass(frozen=True, slots=True)
class Change(Move):
    """A turn: one position of the safe gets a new digit, written `2 4`."""

    position: int
    digit: int

    def __post_init__(self) -> None:
        require_int(self.position, 1, CODES.length, "A position")
        require_int(self.digit, 1, CODES.highest, "A digit")

    def __str__(self) -> str:
        return f"{self.position} {self.digit}"

    def applied_to(self, safe: Code) -> Code:
        """The combination after this change.

        >>> str(Change(2, 4).applied_to(Code((3, 1, 3))))
        '3-4-3'
        """
        digits = list(safe.digits)
        digits[self.position - 1] = self.digit
        return Code(tuple(digits))


CHANGES = tuple(starmap(Change, product(range(1, CODES.length + 1), range(1, CODES.highest + 1))))


@cache
def changes_of(
    allow_same_digit: bool, digits: tuple[int, ...], own: tuple[int, ...] | None = None
) -> tuple[Change, ...]:
    """The changes that a combination can be given, but not to a player's `own` code."""
    safe, kept = Code(digits), None if allow_same_digit else digits
    shown = ((change, change.applied_to(safe).digits) for change in CHANGES)
    return tuple(change for change, after in shown if after not in (kept, own))


@cache
def change_event(
    digits: tuple[int, ...], position: int, digit: int, seat: Seat
) -> tuple[Code, Event]:
    """The safe after a player's change, and the event that announces it."""
    change = Change(position, digit)
    safe = change.applied_to(Code(digits))
    return safe, Event(seat, change, safe)


def count_positions() -> HistoryFold[Event, dict[Position, int]]:
    """How often each position has come up, told from what happened; the first one counts."""
    return HistoryFold(
        {(INITIAL_SAFE, Seat.ONE): 1},
        lambda seen, event: seen | {(at := _position(event)): seen.get(at, 0) + 1},
    )


def _position(event: Event) -> Position:
    assert isinstance(event.actor, Seat)
    return event.answer, event.actor.other


class SafecrackerDuel(Game):
    """Turn the shared safe to your own code, digit by digit."""

    name = "safecracker-duel"
    options: SafecrackerDuelOptions
    options_type = SafecrackerDuelOptions
    reasons = SafecrackerDuelReason
    secrets_each = 1

    def candidates(self, seat: Seat) -> Unshown:
        """The codes that the safe has not shown; showing a player's code ends the game."""
        return Unshown(CODES, every_code(CODES))

    def start(self) -> SafecrackerDuelState:
        """The set-up: the safe shows 1-1-1, nobody has chosen a code."""
        return SafecrackerDuelState.first(self, INITIAL_SAFE)

    @cached_property
    def actions(self) -> Actions:
        """The codes of the set-up, then the changes of a turn."""
        return Actions(Block(CODES.codes, Phase.SET_UP), Block(CHANGES, Phase.TURN))

    @cached_property
    def answers(self) -> Answers:
        """The combinations that the safe can show after a change."""
        return Answers(CODES.codes)

    @cached_property
    def changes(self) -> dict[tuple[int, ...], tuple[Change, ...]]:
        """By combination, the changes that alter it: no passing, unless `allow_same_digit`."""
        allow = self.options.allow_same_digit
        return {safe.digits: changes_of(allow, safe.digits) for safe in CODES.codes}

    def board_to_json(self, board: Code) -> list[int]:
        """The digits that the safe shows."""
        return list(board.digits)

    def board_from_json(self, data: Any) -> Code:
        """The safe that shows these digits."""
        return CODES.read(data)

    def answer_to_json(self, answer: Answer) -> list[int]:
        """The digits that the safe showed after a change."""
        assert isinstance(answer, Code)
        return self.board_to_json(answer)


class SafecrackerDuelState(State[SafecrackerDuel, Code, Code]):
    """Both codes, and the safe's combination as the board."""

    __slots__ = ()

    @property
    def on_first_turn(self) -> bool:
        """Whether the actor has not had a turn yet."""
        return self.turns < 2

    @property
    def private(self) -> bool:
        """True in the set-up and on a first turn, where a refusal would reveal the actor's code."""
        return self.actor is not None and self.on_first_turn

    @property
    def moves(self) -> Sequence[Move]:
        """Any code in the set-up; then every change of one digit that the rules allow."""
        seat = self.actor
        if not isinstance(seat, Seat):
            return ()
        if self.turns >= 2:
            return self.game.changes[self.board.digits]
        if not self.secrets[1]:
            return CODES.codes
        digits, own = self.board.digits, self.secrets[seat.index][0].digits
        return changes_of(self.game.options.allow_same_digit, digits, own)

    def play(self, move: Move) -> Self:
        """Choose a secret code in the set-up; change the safe in a turn."""
        seat = self.actor
        if not isinstance(seat, Seat):
            raise NotLegal("The game is over.")
        if not self.secrets[1]:
            if not isinstance(move, Code) or move not in CODES:
                raise NotLegal(f"{move} is not a code here.", CODES.accepts)
            return self.keep(move)
        if not isinstance(move, Change):
            raise NotLegal(f"{move} is not a turn.", "A turn changes one digit of the safe.")
        return self._change(seat, move)

    def _change(self, seat: Seat, change: Change) -> Self:
        """Changing the combination; after any turn, a player whose code the safe shows wins."""
        before, position, digit = self.board.digits, change.position, change.digit
        if before[position - 1] == digit and not self.game.options.allow_same_digit:
            reason = f"Position {position} already shows {digit}."
            accepted = "No passing: a turn changes exactly one digit."
            raise NotLegal(reason, accepted, SafecrackerDuelRule.NO_PASSING)
        safe, event = change_event(before, position, digit, seat)
        (one,), (two,) = self.secrets
        if safe.digits != one.digits and safe.digits != two.digits:
            return self.after(event, safe, seat.other)
        if safe == self.secrets[seat.index][0]:
            self._check_first_turn_limitation()
            return self.after(event, safe, None, Outcome(seat, SafecrackerDuelReason.MATCHED))
        return self.after(event, safe, None, Outcome(seat.other, SafecrackerDuelReason.HANDED))

    def _check_first_turn_limitation(self) -> None:
        """Nobody may set the safe to their own code on their first turn."""
        if self.on_first_turn:
            reason = "That would set the safe to your own code."
            accepted = "Nobody may do that on their first turn; make another change."
            raise NotLegal(reason, accepted, SafecrackerDuelRule.FIRST_TURN_LIMITATION)
