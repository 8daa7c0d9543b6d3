"""What is asked, announced and understood in Safecracker Duel."""

from __future__ import annotations

from collections.abc import Sequence

from strongroom.contract import (
    NAMES,
    Ambiguous,
    Drawing,
    Event,
    Left,
    Look,
    Move,
    Names,
    NotUnderstood,
    Outcome,
    Question,
    Seat,
    Tile,
    Turn,
    View,
    Words,
    does,
    harmless,
    shown,
    spoken_to,
    turn_of,
    whom,
)
from strongroom.games.codes import typed_digits
from strongroom.games.safecracker_duel.rules import CODES, Change, SafecrackerDuel, Shown

CHANGE_FORM = "Type a position and a new digit, like 2 4, or the position alone."


class SafecrackerDuelWords(Words[SafecrackerDuel]):
    """The rule book's words."""

    title = "Safecracker Duel"
    goal = "Turn one dial each turn; the player whose hidden code the safe shows wins."
    secret_name = "code"
    result_name = "safe"
    restates_board = True

    def question(self, view: View, names: Names = NAMES) -> Question:
        """The question for a secret code, or for the position to change."""
        name = names[view.actor] if isinstance(view.actor, Seat) else ""
        if view.setting_up:
            asked = f"choose your secret code ({CODES.form}): "
            return Question(spoken_to(name, asked), CODES.accepts)
        prompt = f"Enter position to change (1-{CODES.length}): "
        return Question(prompt, CHANGE_FORM, heading=f"{turn_of(name)}:")

    def answer(self, line: str, view: View, question: Question) -> Move | Question:
        """A position alone leads to the question for the new digit."""
        if question.given:
            # Parsed by itself: after the position, the sign of "- 4" would pass for a separator.
            if len(typed := typed_digits(line)) == 1 and CODES.has(typed[0]):
                return super().answer(line, view, question)
            reason = f"{shown(line.strip())} is not a digit from 1 to {CODES.highest}."
            raise NotUnderstood(reason, question.accepted)
        try:
            return super().answer(line, view, question)
        except Ambiguous:
            prompt = f"Enter new digit (1-{CODES.highest}): "
            return Question(prompt, f"Type the new digit, 1 to {CODES.highest}.", given=(line,))

    def understand(self, text: str, view: View) -> Move:
        """A code in the set-up, a position and a digit in a turn."""
        return CODES.parse(text) if view.setting_up else parse_change(text)

    def board_shown(self, view: View) -> str:
        """The safe before the first turn; later the announcement shows it."""
        return "" if view.history else f"Current Safe Combination: {view.board}"

    def announce(self, view: View, names: Names = NAMES) -> str:
        """What the safe shows now."""
        return f"Updated Safe Combination: {view.board}"

    def narrate(self, view: View, names: Names = NAMES) -> str:
        """Who set which dial, and what the safe shows now."""
        seat, change, safe = view.history[-1]
        assert isinstance(seat, Seat)
        assert isinstance(change, Change)
        set_dial = f"{does(names[seat], 'sets', 'set')} dial {change.position} to {change.digit}."
        return f"{set_dial} The safe shows {safe}."

    def picture(self, view: View) -> str:
        """The combination that the safe shows."""
        return str(view.board)

    def drawing(
        self, view: View, seat: Seat, names: Names = NAMES, left: Left | None = None
    ) -> Drawing:
        """The three dials; the one that the last turn set stands out, or all of them at the end."""
        last = view.history[-1].move if view.history else None

        def look(place: int) -> Look:
            if view.outcome is not None and view.outcome.reason in Shown:
                return Look.LIT
            touched = isinstance(last, Change) and last.position == place
            return Look.TOUCHED if touched else Look.PLAIN

        dials = tuple(
            Tile(str(digit), str(place), look=look(place))
            for place, digit in enumerate(view.board.digits, 1)
        )
        return Drawing((dials,), framed=True)

    def count(self, seat: Seat, names: Names, left: Left) -> str:
        """How many codes the opponent can still have."""
        return f"{len(left)} codes are left for {whom(names[seat.other])}." if left else ""

    def spoken(self, move: Move) -> str:
        """Which dial is set to what; a code as usual."""
        if isinstance(move, Change):
            return f"dial {move.position} → {move.digit}"
        return super().spoken(move)

    def note(self, event: Event) -> str:
        """Which dial was set to what."""
        return self.spoken(event.move)

    def turn(self, events: Sequence[Event]) -> Turn:
        """The change, and in a column of its own what the safe showed after it."""
        (event,) = events
        assert isinstance(event.actor, Seat)
        return Turn(event.actor, self.note(event), str(event.answer))

    def why_private(self, view: View) -> str:
        """The first-turn limitation: a refusal would reveal the code."""
        return "On a first turn even a refused move would tell something."

    def won(self, outcome: Outcome) -> str:
        """Whether the winner set the code, or the opponent did."""
        if outcome.reason is Shown.HANDED:
            return "won: the opponent set the safe to the winning code"
        return "set the safe to the secret code"


def parse_change(text: str) -> Change:
    """The change that a person typed: `2 4`, `24`, `2-4`."""
    typed = typed_digits(text)
    if not typed:
        raise NotUnderstood(f"I do not understand {shown(text)} as a turn.", CHANGE_FORM)
    position, *digits = typed
    if len(digits) > 1:
        raise NotUnderstood("A turn changes exactly one digit; you typed more.", CHANGE_FORM)
    if len(position) > 1 or not 1 <= int(position) <= CODES.length:
        reason = f"Positions run from 1 to {CODES.length}; you typed {harmless(position)}."
        raise NotUnderstood(reason, CHANGE_FORM)
    if not digits:
        raise Ambiguous(f"Position {position}: which new digit?", CHANGE_FORM)
    if not CODES.has(digits[0]):
        reason = f"Digits run from 1 to {CODES.highest}; you typed {harmless(digits[0])}."
        raise NotUnderstood(reason, CHANGE_FORM)
    return Change(int(position), int(digits[0]))
