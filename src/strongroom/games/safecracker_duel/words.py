"""What is said at the table of Safecracker Duel."""

from __future__ import annotations

import re

from strongroom.contract import (
    NAMES,
    Ambiguous,
    Event,
    Move,
    Names,
    NotUnderstood,
    Outcome,
    Question,
    Seat,
    View,
    Words,
    shown,
    whole_number,
)
from strongroom.games.safecracker_duel.rules import CODES, Change, SafecrackerDuel, Shown

CHANGE_FORM = "Type a position and a new digit, like 2 4, or the position alone."


class SafecrackerDuelWords(Words[SafecrackerDuel]):
    """The rule book's words."""

    title = "Safecracker Duel"

    def question(self, view: View, names: Names = NAMES) -> Question:
        """The question for a secret code, or for the position to change."""
        name = names[view.actor] if isinstance(view.actor, Seat) else ""
        if view.setting_up:
            return Question(f"{name}, choose your secret code ({CODES.form}): ", CODES.accepts)
        prompt = f"Enter position to change (1-{CODES.length}): "
        return Question(prompt, CHANGE_FORM, heading=f"{name}'s Turn:")

    def answer(self, line: str, view: View, question: Question) -> Move | Question:
        """After a position alone, the question for the new digit, where nothing else fits."""
        try:
            return super().answer(line, view, question)
        except (Ambiguous, NotUnderstood) as refusal:
            if question.given:
                reason = f"{shown(line.strip())} is no digit from 1 to {CODES.highest}."
                raise NotUnderstood(reason, question.accepted) from None
            if isinstance(refusal, NotUnderstood):
                raise
            prompt = f"Enter new digit (1-{CODES.highest}): "
            return Question(prompt, f"Type the new digit, 1 to {CODES.highest}.", given=(line,))

    def understand(self, text: str, view: View) -> Move:
        """A code in the set-up, a position and a digit in a turn."""
        return CODES.parse(text) if view.setting_up else parse_change(text)

    def welcome(self, view: View) -> str:
        """The safe as it stands before the first turn."""
        return f"Welcome to {self.title}!\n\nCurrent Safe Combination: {view.board}"

    def announce(self, view: View, names: Names = NAMES) -> str:
        """What the safe shows now."""
        return f"Updated Safe Combination: {view.board}"

    def picture(self, view: View) -> str:
        """The combination that the safe shows."""
        return str(view.board)

    def note(self, event: Event) -> str:
        """A change, and what the safe showed then."""
        assert isinstance(event.move, Change)
        return f"position {event.move.position} to {event.move.digit}: {event.answer}"

    def why_private(self, view: View) -> str:
        """The first-turn limitation: a refusal would betray the code."""
        return "On a first turn even a refused move would tell something."

    def won(self, outcome: Outcome) -> str:
        """Whether the winner set the code, or the opponent did."""
        if outcome.reason is Shown.HANDED:
            return "had the secret code set by the opponent"
        return "set the safe to the secret code"


def parse_change(text: str) -> Change:
    """The change that a person typed: `2 4`, `24`, `2-4`."""
    if re.search(r"[^0-9\s,.;:/=>_-]", text) or not re.search(r"[0-9]", text):
        raise NotUnderstood(f"I do not understand {shown(text)} as a turn.", CHANGE_FORM)
    groups = re.findall(r"[0-9]+", text)
    typed = list(groups[0]) if len(groups) == 1 else groups
    position, *digits = map(whole_number, typed)
    if len(digits) > 1:
        raise NotUnderstood("A turn changes exactly one digit; you typed more.", CHANGE_FORM)
    if not 1 <= position <= CODES.length:
        reason = f"Positions run from 1 to {CODES.length}; you typed {position}."
        raise NotUnderstood(reason, CHANGE_FORM)
    if not digits:
        raise Ambiguous(f"Position {position}: which new digit?", CHANGE_FORM)
    if not 1 <= digits[0] <= CODES.highest:
        reason = f"Digits run from 1 to {CODES.highest}; you typed {digits[0]}."
        raise NotUnderstood(reason, CHANGE_FORM)
    return Change(position, digits[0])
