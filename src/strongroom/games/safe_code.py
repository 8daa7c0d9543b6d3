"""Safe Code: crack the other's number with guesses and with clues that they had to write."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any, NamedTuple, Self

from strongroom.game import (
    NAMES,
    Ambiguous,
    Event,
    Game,
    Move,
    Names,
    NotLegal,
    NotUnderstood,
    Outcome,
    Seat,
    State,
    View,
)
from strongroom.games.clues import (
    CLUE_HELP,
    CLUES,
    HIGHEST,
    LOWEST,
    MEANINGS,
    Clue,
    check_clue,
    clues_about,
    parse_clue,
)
from strongroom.refusal import shown, whole_number

CLUES_EACH = 3
PREPARED = 1 + CLUES_EACH
"""What a player has prepared when the game starts: a code and its clues."""
RANGE = f"{LOWEST}-{HIGHEST}"
NUMBER_FORM = f"Type a whole number from {RANGE}, like 16."
CORRECT, INCORRECT = "Correct!", "Incorrect."
CRACKED = "cracked the safe"


@dataclass(frozen=True, slots=True)
class Number(Move):
    """A safe code in the set-up, a guess in a turn, written `16`."""

    value: int

    def __post_init__(self) -> None:
        if not LOWEST <= self.value <= HIGHEST:
            reason = f"Codes run from {LOWEST} to {HIGHEST}; you typed {self.value}."
            raise NotUnderstood(reason, NUMBER_FORM)

    def __str__(self) -> str:
        return str(self.value)


@dataclass(frozen=True, slots=True)
class RequestClue(Move):
    """Asking the opponent for the next clue, written `clue`."""

    def __str__(self) -> str:
        return "clue"


NUMBERS: tuple[Move, ...] = tuple(map(Number, range(LOWEST, HIGHEST + 1)))
REQUEST = RequestClue()


class CluesGiven(NamedTuple):
    """How many clues each player has been given so far."""

    one: int = 0
    two: int = 0

    def __str__(self) -> str:
        return f"{self.one} of {CLUES_EACH}, {self.two} of {CLUES_EACH}"


class SafeCode(Game):
    """Safe Code; it has no options."""

    name = "safe-code"
    secrets_each = PREPARED

    def start(self) -> SafeCodeState:
        """The set-up: nobody has chosen a code or written a clue."""
        return SafeCodeState(self, CluesGiven())

    @cached_property
    def actions(self) -> tuple[Move, ...]:
        """The numbers, the request for a clue, then every clue that can be written."""
        return (*NUMBERS, REQUEST, *CLUES)

    # --- what is said at the table ---

    def parse(self, text: str, view: View) -> Move:
        """A code or a clue in the set-up; in a turn a guess, or the request for a clue."""
        if view.setting_up:
            return parse_clue(text) if view.secret else parse_number(text)
        if re.fullmatch(
            r"(request|ask|ask for)?\s*(a|the next|next)?\s*clue|c", text.strip().lower()
        ):
            return REQUEST
        return parse_number(re.sub(r"(?i)^\s*(my )?guess( is)?\b", "", text))

    def accepts(self, view: View, lines: Sequence[str] = ()) -> str:
        """How to type a code, a clue, an action or a guess."""
        if view.setting_up:
            return CLUE_HELP if view.secret else NUMBER_FORM
        if lines:
            return NUMBER_FORM
        return "Type 1 (or clue) to request a clue, 2 to guess, or guess 16 to guess at once."

    def ask(self, view: View, lines: Sequence[str] = (), names: Names = NAMES) -> str:
        """The question for a code, a clue, an action, or a guess."""
        name = names[view.actor] if isinstance(view.actor, Seat) else ""
        if view.setting_up:
            if view.secret:
                return f"{name}, write clue {len(view.secret)} of {CLUES_EACH}: "
            return f"{name}, choose your safe code ({RANGE}): "
        if lines:
            return f"Enter your guess ({RANGE}): "
        menu = "Choose an action:\n1. Request a clue\n2. Make a guess\nEnter 1 or 2: "
        return f"\n[{name}'s Turn]\n{menu}"

    def answer(self, view: View, lines: Sequence[str]) -> Move:
        """At the book's menu, 1 requests a clue and 2 asks for the guess."""
        if view.setting_up:
            return self.parse(" ".join(lines), view)
        action, *guess = lines
        if guess:
            return parse_number(guess[-1])
        word = action.strip().strip(".)").lower()
        if word == "1":
            return REQUEST
        if word in ("2", "guess", "g", "make a guess"):
            raise Ambiguous("Guess which number?", self.accepts(view, lines))
        try:
            return self.parse(action, view)
        except NotUnderstood as refusal:
            raise NotUnderstood(refusal.reason, self.accepts(view)) from None

    def say(self, view: View, names: Names = NAMES) -> str:
        """The opponent's clue, or their answer to the guess."""
        if not view.history:
            return f"Welcome to {self.title}!"
        seat, move, answer = view.history[-1]
        assert isinstance(seat, Seat)
        if move == REQUEST:
            return f'{names[seat.other]}\'s Clue: "{answer}"'
        says = f'{names[seat.other]} says: "{answer}"'
        if answer == CORRECT:
            return f"{says}\nCongratulations, {names[seat]}! You have cracked the safe."
        return says

    def picture(self, view: View) -> str:
        """There is no board: the clues given stand in the record."""
        return ""

    def note(self, event: Event) -> str:
        """A clue that was given, or a guess with its answer."""
        return f'clue: "{event.answer}"' if event.move == REQUEST else super().note(event)


def parse_number(text: str) -> Number:
    """The number that a person typed."""
    digits = text.strip().strip("#. ")
    if not (digits.isascii() and digits.isdigit()):
        reason = f"{shown(text)} is not a number."
        raise NotUnderstood(reason, NUMBER_FORM)
    return Number(whole_number(digits))


@cache
def _runs(code: int) -> dict[frozenset[int], tuple[int, int]]:
    """Where, among the clues about a code, those of each meaning begin and end."""
    runs, begin = {}, 0
    for meaning, clues in MEANINGS.items():
        if code in meaning:
            runs[meaning] = (begin, begin + len(clues))
            begin += len(clues)
    return runs


def clues_left(code: int, earlier: Sequence[Clue]) -> tuple[Clue, ...]:
    """Every true clue about a code that says something else than the earlier ones."""
    if not earlier:
        return clues_about(code)
    clues, runs = list(clues_about(code)), _runs(code)
    for begin, end in sorted((runs[clue.meaning] for clue in earlier), reverse=True):
        del clues[begin:end]
    return tuple(clues)


class SafeCodeState(State[SafeCode, CluesGiven, Any]):
    """Both codes with their clues, in this order, and every request and guess."""

    __slots__ = ()

    @property
    def moves(self) -> tuple[Move, ...]:
        """In the set-up a code, then true clues; in a turn any guess, or the next clue."""
        seat = self.actor
        if not isinstance(seat, Seat):
            return ()
        if len(self.secrets[1]) < PREPARED:
            code, clues = self._prepared(seat)
            return NUMBERS if code is None else clues_left(code.value, clues)
        return GUESSES_AND_REQUEST if self.board[seat.index] < CLUES_EACH else NUMBERS

    def play(self, move: Move) -> Self:
        """In the set-up a code and three clues; in a turn a request or a guess."""
        seat = self.actor
        if not isinstance(seat, Seat):
            raise NotLegal("The game is over.")
        if len(self.secrets[1]) < PREPARED:
            return self._prepare(seat, move)
        if isinstance(move, Number):
            return self._guess(seat, move)
        if isinstance(move, RequestClue):
            return self._request(seat)
        raise NotLegal(f"{shown(str(move))} is no turn.", "Request a clue or guess a number.")

    def _prepare(self, seat: Seat, move: Move) -> Self:
        """Secret code selection, then clue creation: three true clues of different meaning."""
        code, clues = self._prepared(seat)
        if code is None:
            if not isinstance(move, Number):
                raise NotLegal("First choose your code.", NUMBER_FORM)
        else:
            if not isinstance(move, Clue):
                raise NotLegal("Your code is chosen; now write a clue.", "Like: It is even.")
            check_clue(move, code.value, clues)
        return self.keep(move)

    def _prepared(self, seat: Seat) -> tuple[Number | None, Sequence[Clue]]:
        """The code and the clues that a player has chosen so far."""
        code, *clues = self.secrets[seat.index] or (None,)
        return code, clues

    def _request(self, seat: Seat) -> Self:
        """Clue provision: the next clue in the order written; a fourth cannot be requested."""
        given = self.board[seat.index]
        if given == CLUES_EACH:
            raise NotLegal("All three clues have been given.", "Make a guess.")
        clue = self.secrets[seat.other.index][1 + given]
        one, two = self.board
        board = CluesGiven(one + 1, two) if seat is Seat.ONE else CluesGiven(one, two + 1)
        log = self.log + (Event(seat, REQUEST, str(clue)),)
        return type(self)(self.game, board, self.secrets, log, seat.other)

    def _guess(self, seat: Seat, guess: Number) -> Self:
        """A correct guess wins; an incorrect one ends the turn."""
        if guess.value != self.secrets[seat.other.index][0].value:
            log = self.log + (guessed(seat.index, guess.value, INCORRECT),)
            return type(self)(self.game, self.board, self.secrets, log, seat.other)
        log = self.log + (guessed(seat.index, guess.value, CORRECT),)
        return type(self)(self.game, self.board, self.secrets, log, None, Outcome(seat, CRACKED))


@cache
def guessed(index: int, value: int, answer: str) -> Event:
    """A player's guess with the answer to it."""
    return Event(tuple(Seat)[index], Number(value), answer)


GUESSES_AND_REQUEST = (*NUMBERS, REQUEST)
