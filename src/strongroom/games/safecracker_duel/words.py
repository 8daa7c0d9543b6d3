"""What is asked, announced and understood in Safecracker Duel."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from operator import ne

from strongroom.contract import (
    NAMES,
    YOU,
    Ambiguous,
    Control,
    Disguise,
    Drawing,
    Event,
    Left,
    Look,
    Move,
    Names,
    NotUnderstood,
    Outcome,
    Question,
    Refusal,
    Seat,
    Spot,
    Tile,
    Turn,
    View,
    Way,
    Wheels,
    Words,
    does,
    harmless,
    own_moves,
    owner,
    possessive,
    quote,
    spoken_to,
    turn_of,
    with_tile,
)
from strongroom.games.codes import Code, typed_digits
from strongroom.games.safecracker_duel.rules import (
    CODES,
    Change,
    SafecrackerDuel,
    SafecrackerDuelReason,
)

FIRST_TURN = "the first turn"
APPROACHING = "approaching"
CLOSING_IN = "closing in"
FINISHING = "finishing"
PUT_ANOTHER = (
    "another digit there. The other two positions stay as\nthey are. You may not pass, and"
)
"""What the rules say of a turn that must change the safe."""
PUT_ANY = "a digit there, also the one that it has. The other two\npositions stay as they are, and"
"""What they say where a digit may be replaced by itself."""
BOTH_FORM = "Type a position and a new digit, like 2 4."
CHANGE_FORM = f"{BOTH_FORM[:-1]}, or the position alone."


class SafecrackerDuelWords(Words[SafecrackerDuel]):
    """The rule book's words."""

    title = "Safecracker Duel"
    goal = "Turn one dial each turn; the player whose hidden code the safe shows wins."
    secret_name = "code"
    result_name = "safe"
    restates_board = True

    @property
    def told_rules(self) -> str:
        """The rules, and what a turn may be in this game."""
        told = super().told_rules
        return told.replace(PUT_ANOTHER, PUT_ANY) if self.game.options.allow_same_digit else told

    def question(self, view: View, names: Names = NAMES) -> Question:
        """The question for a secret code, or for the position to change."""
        name = names[view.actor] if isinstance(view.actor, Seat) else ""
        if view.setting_up:
            asked = f"choose your secret code ({CODES.form}): "
            downwards = [str(digit) for digit in range(CODES.highest, 0, -1)]
            ones = (CODES.highest - 1,) * CODES.length
            wheels = Wheels(downwards, ones, framed=True)
            return Question(spoken_to(name, asked), CODES.accepts, control=wheels)
        prompt, dials = f"Enter position to change (1-{CODES.length}): ", Dials(view.board.digits)
        return Question(prompt, CHANGE_FORM, heading=f"{turn_of(name)}:", control=dials)

    def answer(self, line: str, view: View, question: Question) -> Move | Question:
        """A position alone leads to the question for the new digit."""
        if question.given:
            # Parsed by itself: after the position, the sign of "- 4" would pass for a separator.
            if len(typed := typed_digits(line)) == 1 and CODES.has(typed[0]):
                return super().answer(line, view, question)
            reason = f"{quote(line.strip())} is not a digit from 1 to {CODES.highest}."
            raise NotUnderstood(reason, question.accepted)
        try:
            return super().answer(line, view, question)
        except Ambiguous:
            prompt = f"Enter new digit (1-{CODES.highest}): "
            accepted = f"Type the new digit, 1 to {CODES.highest}."
            dials = Dials(view.board.digits, position=int(typed_digits(line)[0]))
            return Question(prompt, accepted, given=(line,), control=dials)

    def understand(self, text: str, view: View) -> Move:
        """A code in the set-up, a position and a digit in a turn."""
        return CODES.parse(text) if view.setting_up else parse_change(text)

    def asked_at_once(self, view: View, names: Names = NAMES) -> str:
        """In a turn, the position and the digit in one question."""
        if view.setting_up:
            return f"Which code do you hide? {CODES.accepts}"
        return f"Which position do you change, and to which digit? {BOTH_FORM}"

    def accepted_at_once(self, refusal: Refusal, view: View) -> str:
        """A position alone is not enough."""
        return BOTH_FORM if refusal.accepted == CHANGE_FORM else refusal.accepted

    def written(self, events: Sequence[Event]) -> str:
        """The position and the digit, and what the safe showed."""
        (event,) = events
        return f"{event.move}, {self.result_name} {event.answer}"

    @property
    def kinds(self) -> tuple[str, ...]:
        """Hiding a code, then how far the safe is from it."""
        return (self.hiding, FIRST_TURN, APPROACHING, CLOSING_IN, FINISHING)

    def deciding(self, view: View) -> str:
        """How many dials the safe is away from the player's code."""
        if view.setting_up:
            return self.hiding
        if view.turns < 2:
            return FIRST_TURN
        (own,) = view.secret
        assert isinstance(own, Code)
        away = sum(map(ne, own.digits, view.board.digits))
        return {1: FINISHING, 2: CLOSING_IN}.get(away, APPROACHING)

    def lesson(self, view: View, names: Names = NAMES) -> str:
        """How to hide a code, how to turn a dial, and what to beware of."""
        assert isinstance(view.actor, Seat)
        if view.setting_up:
            return "Choose a code of your own, to keep secret: you win when the safe shows it."
        other = names[view.actor.other]
        lessons = (
            "Turn one dial. You win when the safe shows your code, and lose when it shows "
            f"{owner(other)}. Your first turn may not show your own.",
            "Turn a dial again. Come nearer to your code, but slowly: if the safe ever shows "
            f"{owner(other)}, {does(other, 'wins', 'win')}.",
        )
        return "".join(lessons[len(own_moves(view)) :][:1])

    def preview(self, view: View, move: Move, names: Names = NAMES) -> str:
        """What the safe would show, or the code that would be hidden."""
        if isinstance(move, Change):
            safe = move.applied_to(view.board)
            return f"Dial {move.position} → {move.digit}: the safe shows {safe}."
        return f"Hide {move}."

    def puzzle(self, view: View) -> str:
        """Which dial to turn."""
        return "One dial to turn. Where do you leave the safe?"

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
            if view.outcome is not None and view.outcome.reason in SafecrackerDuelReason:
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
        other = names[seat.other]
        return f"{other} can have {len(left)} of {len(CODES.codes)} codes." if left else ""

    def mention(self, move: Move) -> str:
        """Which dial is set to what; a code as usual."""
        if isinstance(move, Change):
            return f"dial {move.position} → {move.digit}"
        return super().mention(move)

    def note(self, event: Event) -> str:
        """Which dial was set to what."""
        return self.mention(event.move)

    def turn(self, events: Sequence[Event]) -> Turn:
        """The change, and in a column of its own what the safe showed after it."""
        (event,) = events
        assert isinstance(event.actor, Seat)
        return Turn(event.actor, self.note(event), str(event.answer))

    def why_private(self, view: View) -> str:
        """The first-turn limitation: a refusal would reveal the code."""
        return "On a first turn even a refused move would tell something."

    def ending(self, outcome: Outcome, names: Names = NAMES) -> str:
        """To a player who reads it, who turned up whose code, or who opened the safe."""
        winner, reason = outcome.winner, outcome.reason
        told = isinstance(reason, SafecrackerDuelReason) and YOU in names.values()
        if winner is None or not told:
            return super().ending(outcome, names)
        own = names[winner] == YOU
        if reason is SafecrackerDuelReason.HANDED:
            whose = "your" if own else possessive(names[winner])
            return f"{names[winner.other]} turned up {whose} code."
        return f"{names[winner]} opened the safe{' with your code' if own else ''}."

    def win_text(self, outcome: Outcome) -> str:
        """Whether the winner set the code, or the opponent did."""
        if outcome.reason is SafecrackerDuelReason.HANDED:
            return "won, because the opponent set the safe to the winning code"
        return "set the safe to the secret code"


@dataclass(frozen=True, slots=True)
class Dials(Control):
    """The dials of the safe: left and right choose one of them, up and down turn it.

    >>> dials = Dials((1, 1, 1))
    >>> dials.answer(dials.move_spot(dials.move_spot(None, Way.LEFT), Way.UP))
    '1 2'
    """

    keys = "←→ dial   ↑↓ digit"
    digits: tuple[int, ...]
    """What the safe shows."""
    position: int = 0
    """The dial to turn, if it is already chosen."""

    def move_spot(self, spot: Spot | None, way: Way) -> Spot:
        """Another dial, or another digit of the same one."""
        down, right = way.value
        if spot is None:
            dial = self.position - 1 if self.position else 0
            spot, right = (dial, self.digits[dial]), 0
            down = down if self.position else 0
        dial, digit = spot
        if right and not self.position:
            dial = (dial + right) % len(self.digits)
            return dial, self.digits[dial]
        return dial, (digit - 1 - down - right) % CODES.highest + 1

    def click_spot(self, spot: Spot | None, row: int, column: int) -> Spot | None:
        """The dial turned on by a digit, so that a second click, on Enter, takes it.

        >>> dials = Dials((1, 1, 1))
        >>> dials.click_spot(None, 0, 2), dials.click_spot((2, 5), 0, 2)
        ((2, 2), (2, 1))
        """
        if row or column >= len(self.digits) or (self.position and column != self.position - 1):
            return None
        chosen = spot is not None and spot[0] == column
        return self.move_spot(spot if chosen else (column, self.digits[column]), Way.UP)

    def answer(self, spot: Spot) -> str:
        """The position and the new digit; the position alone while the dial is not turned."""
        dial, digit = spot
        if self.position:
            return str(digit)
        return f"{dial + 1}" if digit == self.digits[dial] else f"{dial + 1} {digit}"

    def find(self, answer: str) -> Spot | None:
        """The dial turned as a change says."""
        typed = [*map(int, typed_digits(answer))]
        if self.position and len(typed) == 1:
            return self.position - 1, typed[0]
        return None if self.position or len(typed) != 2 else (typed[0] - 1, typed[1])

    def mark_spot(self, drawing: Drawing, spot: Spot) -> Drawing:
        """The safe with the dial turned."""
        return with_tile(drawing, 0, spot[0], text=str(spot[1]))


def parse_change(text: str) -> Change:
    """The change that a person typed: `2 4`, `24`, `2-4`."""
    typed = typed_digits(text)
    if not typed:
        raise NotUnderstood(f"I do not understand {quote(text)} as a turn.", CHANGE_FORM)
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


class DuelDisguise(Disguise[SafecrackerDuel]):
    """Racks, plans and values, for safes, codes and digits, which are alike or different."""

    terms = """
        safecracker_duel: patternmaker_bout | signalkeeper_game | lamplighters_cup
        safe safes: rack racks | gate gates | lamp lamps
        code codes: plan plans | tune tunes | sign signs
        digit digits: value values | shade shades | pitch pitches
        position positions: location locations | division divisions | junction junctions
        dial dials: knob knobs | lever levers | slide slides
        combination combinations: arrangement arrangements | composition compositions
        secret: covert | veiled | private
    """
    lettered = "12345"
