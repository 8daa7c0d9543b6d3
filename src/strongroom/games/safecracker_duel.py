"""Safecracker Duel: turn the shared safe to your own code before the other turns it to theirs."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Self

from strongroom.game import (
    NAMES,
    Ambiguous,
    Event,
    Game,
    Move,
    Names,
    NotLegal,
    NotUnderstood,
    Options,
    Outcome,
    Seat,
    State,
    View,
    option,
)
from strongroom.games.codes import Code, CodeSpace
from strongroom.refusal import shown, whole_number

CODES = CodeSpace(length=3, highest=5)
INITIAL_SAFE = Code((1, 1, 1))

CHANGE_FORM = "Type a position and a new digit, like 2 4, or the position alone."

MATCHED = "set the safe to the secret code"
HANDED = "had the secret code set by the opponent"


@dataclass(frozen=True)
class SafecrackerDuelOptions(Options):
    """The one choice: how "change exactly one digit" is read."""

    allow_same_digit: bool = option(False, "a digit may be replaced by itself, which passes")


@dataclass(frozen=True, slots=True)
class Change(Move):
    """A turn: one position of the safe gets a new digit, written `2 4`."""

    position: int
    digit: int

    def __post_init__(self) -> None:
        if not 1 <= self.position <= CODES.length:
            reason = f"Positions run from 1 to {CODES.length}; you typed {self.position}."
            raise NotUnderstood(reason, CHANGE_FORM)
        if not 1 <= self.digit <= CODES.highest:
            reason = f"Digits run from 1 to {CODES.highest}; you typed {self.digit}."
            raise NotUnderstood(reason, CHANGE_FORM)

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


CHANGES = tuple(
    Change(position, digit)
    for position in range(1, CODES.length + 1)
    for digit in range(1, CODES.highest + 1)
)


@cache
def changed(digits: tuple[int, ...], position: int, digit: int, index: int) -> tuple[Code, Event]:
    """The safe after a player's change, and how that is announced."""
    change = Change(position, digit)
    safe = change.applied_to(Code(digits))
    return safe, Event(tuple(Seat)[index], change, str(safe))


class SafecrackerDuel(Game):
    """Safecracker Duel with its option chosen."""

    name = "safecracker-duel"
    options_type = SafecrackerDuelOptions
    secrets_each = 1

    def __init__(self, options: SafecrackerDuelOptions | None = None) -> None:
        self.options: SafecrackerDuelOptions = options or SafecrackerDuelOptions()
        self.changes = {
            safe.digits: tuple(
                change
                for change in CHANGES
                if self.options.allow_same_digit or change.applied_to(safe) != safe
            )
            for safe in CODES.codes
        }

    def start(self) -> SafecrackerDuelState:
        """The set-up: the safe shows 1-1-1, nobody has chosen a code."""
        return SafecrackerDuelState(self, INITIAL_SAFE)

    @cached_property
    def actions(self) -> tuple[Move, ...]:
        """The codes of the set-up, then the changes of a turn."""
        return CODES.codes + CHANGES

    # --- what is said at the table ---

    def parse(self, text: str, view: View) -> Move:
        """A code in the set-up, a position and a digit in a turn."""
        return CODES.parse(text) if view.setting_up else parse_change(text)

    def accepts(self, view: View, lines: Sequence[str] = ()) -> str:
        """How to type a code, a position or a digit."""
        if view.setting_up:
            return CODES.accepts
        if lines:
            return f"Type the new digit, 1 to {CODES.highest}."
        return CHANGE_FORM

    def ask(self, view: View, lines: Sequence[str] = (), names: Names = NAMES) -> str:
        """The question for a secret code, for a position, or for the new digit."""
        name = names[view.actor] if isinstance(view.actor, Seat) else ""
        if view.setting_up:
            return f"{name}, choose your secret code ({CODES.form}): "
        if lines:
            return f"Enter new digit (1-{CODES.highest}): "
        return f"\n{name}'s Turn:\nEnter position to change (1-{CODES.length}): "

    def say(self, view: View, names: Names = NAMES) -> str:
        """What the safe shows now."""
        if not view.history:
            return f"Welcome to {self.title}!\n\nCurrent Safe Combination: {view.board}"
        return f"Updated Safe Combination: {view.board}"

    def note(self, event: Event) -> str:
        """A change, and what the safe showed then."""
        assert isinstance(event.move, Change)
        return f"position {event.move.position} to {event.move.digit}: {event.answer}"


def parse_change(text: str) -> Change:
    """The change that a person typed: `2 4`, `24`, `2-4`."""
    if re.search(r"[^0-9\s,.;:/=>_-]", text) or not re.search(r"[0-9]", text):
        raise NotUnderstood(f"I do not understand {shown(text)} as a turn.", CHANGE_FORM)
    groups = re.findall(r"[0-9]+", text)
    typed = list(groups[0]) if len(groups) == 1 else groups
    position, *digits = map(whole_number, typed)
    if not digits and 1 <= position <= CODES.length:
        raise Ambiguous(f"Position {position}: which new digit?", CHANGE_FORM)
    if len(digits) > 1:
        raise NotUnderstood("A turn changes exactly one digit; you typed more.", CHANGE_FORM)
    return Change(position, *digits or [1])


class SafecrackerDuelState(State[SafecrackerDuel, Code, Code]):
    """Both codes, and the safe's combination as the board."""

    __slots__ = ()

    @property
    def on_first_turn(self) -> bool:
        """Whether the actor has not had a turn yet."""
        return len(self.log) < 2

    @property
    def private(self) -> bool:
        """In the set-up; and on a first turn, where a refusal would betray the actor's code."""
        return self.actor is not None and self.on_first_turn

    @property
    def moves(self) -> tuple[Move, ...]:
        """Any code in the set-up; then every change of one digit that the rules allow."""
        if self.actor is None:
            return ()
        if not self.secrets[1]:
            return CODES.codes
        changes = self.game.changes[self.board.digits]
        if len(self.log) >= 2:
            return changes
        return tuple(change for change in changes if not self._breaks_first_turn_limitation(change))

    def play(self, move: Move) -> Self:
        """A secret code in the set-up, a change of the safe in a turn."""
        if self.actor is None:
            raise NotLegal("The game is over.")
        if not self.secrets[1]:
            if not isinstance(move, Code) or move not in CODES:
                raise NotLegal(f"{move} is not a code here.", CODES.accepts)
            return self.keep(move)
        if not isinstance(move, Change):
            raise NotLegal(f"{move} is not a turn.", CHANGE_FORM)
        if self.board.digits[move.position - 1] == move.digit:
            if not self.game.options.allow_same_digit:
                reason = f"Position {move.position} already shows {move.digit}."
                raise NotLegal(reason, "No passing: a turn changes exactly one digit.")
        if len(self.log) < 2 and self._breaks_first_turn_limitation(move):
            reason = "That would set the safe to your own code."
            raise NotLegal(reason, "Nobody may do that on their first turn; change another digit.")
        return self._change(move)

    def _breaks_first_turn_limitation(self, change: Change) -> bool:
        assert isinstance(self.actor, Seat)
        return change.applied_to(self.board) == self.secrets[self.actor.index][0]

    def _change(self, change: Change) -> Self:
        """Changing the combination; after any turn, a player whose code the safe shows wins."""
        seat = self.actor
        assert isinstance(seat, Seat)
        digits = self.board.digits
        safe, event = changed(digits, change.position, change.digit, seat.index)
        log = self.log + (event,)
        outcome = None
        if safe.digits == self.secrets[seat.index][0].digits:
            outcome = Outcome(seat, MATCHED)
        elif safe.digits == self.secrets[seat.other.index][0].digits:
            outcome = Outcome(seat.other, HANDED)
        actor = seat.other if outcome is None else None
        return type(self)(self.game, safe, self.secrets, log, actor, outcome)
