"""A game as another package may write it: the text of a secret is not its numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from strongroom.contract import (
    NAMES,
    Actions,
    Answers,
    Block,
    Candidates,
    Event,
    Game,
    Move,
    Names,
    NotLegal,
    Outcome,
    Phase,
    Question,
    Reason,
    Seat,
    State,
    View,
    Words,
)

LETTERS: Final = "ABCDE"
HINT: Final = "Type a letter from A to E."


@dataclass(frozen=True, slots=True)
class Letter(Move):
    """A letter, hidden or guessed."""

    number: int

    def __str__(self) -> str:
        return LETTERS[self.number]


ALL: Final = tuple(map(Letter, range(len(LETTERS))))


class Found(Reason):
    """Why it ends."""

    FOUND = "found"


class Lettered(Game):
    """Guess the other's letter."""

    name = "lettered"
    reasons = Found
    secrets_each = 1

    def start(self) -> LetteredState:
        return LetteredState.first(self, 0)

    @cached_property
    def actions(self) -> Actions:
        return Actions(Block(ALL, Phase.SET_UP | Phase.TURN))

    @cached_property
    def answers(self) -> Answers:
        return Answers([False, True])

    def candidates(self, seat: Seat) -> Candidates | None:
        return LettersLeft(seat)

    def secret_of(self, candidate: tuple[int, ...]) -> Move:
        (number,) = candidate
        return ALL[number]

    def board_from_json(self, data: Any) -> Any:
        return data


@dataclass(frozen=True)
class LettersLeft(Candidates):
    """The letters that a seat has not guessed."""

    seat: Seat
    guessed: frozenset[int] = frozenset()

    def __len__(self) -> int:
        return len(ALL) - len(self.guessed)

    def __iter__(self) -> Iterator[tuple[int, ...]]:
        return ((each.number,) for each in ALL if each.number not in self.guessed)

    def after(self, event: Event) -> LettersLeft:
        assert isinstance(event.move, Letter)
        if event.actor is not self.seat or event.move.number in self.guessed:
            return self
        return LettersLeft(self.seat, self.guessed | {event.move.number})


class LetteredState(State[Lettered, int, Letter]):
    """The letters; the board is the same throughout."""

    __slots__ = ()

    @property
    def moves(self) -> Sequence[Move]:
        return () if self.actor is None else ALL

    def play(self, move: Move) -> LetteredState:
        if not isinstance(self.actor, Seat) or not isinstance(move, Letter):
            raise NotLegal("Not now.", HINT)
        if self.setting_up:
            return self.keep(move)
        right = self.secrets[self.actor.other.index] == (move,)
        event = Event(self.actor, move, right)
        if right:
            return self.after(event, self.board, None, Outcome(self.actor, Found.FOUND))
        return self.after(event, self.board, self.actor.other)


class LetteredWords(Words[Lettered]):
    """What is said."""

    title = "Lettered"

    def question(self, view: View, names: Names = NAMES) -> Question:
        return Question("Which letter? ", HINT)

    def understand(self, text: str, view: View) -> Move:
        return self.game.move(text.upper())

    def welcome(self, view: View) -> str:
        return "Welcome!"

    def announce(self, view: View, names: Names = NAMES) -> str:
        return "Yes." if view.history[-1].answer else "No."

    def won(self, outcome: Outcome) -> str:
        return "found the letter"


Lettered.words_type = LetteredWords
