"""A player who is asked in text and answers in text, and the transcript of what was said."""

from __future__ import annotations

import contextlib
import json
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import zip_longest
from typing import Annotated, Final, NamedTuple, TypeGuard

from strongroom.contract import Ending, Game, Move, Refusal, Seat, View, harmless
from strongroom.contract.codec import Accepted, json_form, number_from
from strongroom.minds.dialogue import LONGEST_ANSWER, PLAIN, TRIES, Dialogue, Style
from strongroom.plugins.foreign import Explained
from strongroom.referee.record import Record

LONGEST_REASON: Final = 200
"""How much is kept of the reason why a player forfeited."""
LONGEST_QUOTED: Final = 2_000
"""How much of a refused answer a player is reminded of."""
LARGEST: Final = 1e15
"""No number of an exchange, or of a report, is as large as this."""
Whole = Annotated[int, Accepted(f"a whole number below {LARGEST:.0e}", lambda n: abs(n) < LARGEST)]
Amount = Annotated[float, number_from(0, LARGEST)]
MOST_TOKENS: Final = 10**8
"""No question and no answer has as many tokens as this, so that no sum of them is too large."""
MOST_MONEY: Final = 10**8
"""No answer costs as many dollars as this."""


class Message(NamedTuple):
    """A part of a conversation: what the player was told, or what it said."""

    from_player: bool
    text: str


def is_token_count(value: object) -> TypeGuard[int]:
    """Whether a value can be the number of tokens of a question or an answer.

    >>> is_token_count(120), is_token_count(True), is_token_count(10**300)
    (True, False, False)
    """
    return type(value) is int and 0 <= value < MOST_TOKENS


def is_money(value: object) -> TypeGuard[float]:
    """Whether a value can be the cost of an answer, in dollars.

    >>> is_money(0.25), is_money("0.25"), is_money(float("nan"))
    (True, False, False)
    """
    return isinstance(value, int | float) and type(value) is not bool and 0 <= value < MOST_MONEY


@json_form("answered=text cut_off reasoning tokens_in tokens_out money")
@dataclass(frozen=True, slots=True)
class Reply:
    """What a player answered, and what that took; a refusal if it cannot have taken that."""

    text: str
    reasoning: str = ""
    """What it thought, where that comes apart from the answer."""
    tokens_in: int | None = None
    tokens_out: int | None = None
    money: float | None = None
    """In dollars."""
    cut_off: bool = False
    """Whether the answer ended because it was too long."""

    def __post_init__(self) -> None:
        counts = (each for each in (self.tokens_in, self.tokens_out) if each is not None)
        if not (all(map(is_token_count, counts)) and (self.money is None or is_money(self.money))):
            raise Refusal("What an answer took must be numbers, and no larger than it can be.")


Speak = Callable[[Dialogue, str, Sequence[Message]], Reply]
"""Answers a conversation in the form that a dialogue has, given what was said before it."""


class OtherForm(Exception):
    """The player cannot answer in the form of the dialogue; it is asked again in the other."""


@json_form("number asked *reply seconds refused")
@dataclass(frozen=True, slots=True)
class Exchange:
    """One question and its answer."""

    number: Whole
    """How many moves had been made."""
    asked: str
    reply: Reply
    seconds: Amount = field(compare=False)
    refused: str = ""
    """Why the answer was refused."""


class NoLegalAnswer(Explained):
    """A player has not given a legal answer, however often it was asked."""


class TextPlayer:
    """A player who is asked in text; it is told why an answer is refused, and asked again."""

    def __init__(
        self, game: Game, speak: Speak, style: Style = PLAIN, in_json: bool = False
    ) -> None:
        self.dialogue = Dialogue(game, style, in_json)
        self.opening = ""
        """What the player was told before it was asked."""
        self.exchanges: list[Exchange] = []
        """All questions and answers of the game."""
        self.illegal = 0
        """How many answers were no legal moves."""
        self._speak = speak

    def choose(self, view: View) -> Move:
        """The move of the first legal answer; after too many others, the player fails."""
        return self.answer(self.dialogue.rules, self.dialogue.ask(view), view, TRIES)

    def answer(self, rules: str, asked: str, view: View, tries: int) -> Move:
        """The move of the first legal answer to a question that is put in given words."""
        talk = [Message(False, asked)]
        for _ in range(tries):
            reply = self._reply(rules, talk, view.number)
            try:
                return self.dialogue.read(reply.text, view, reply.cut_off)
            except Refusal as refusal:
                self.illegal += 1
                self.exchanges[-1] = replace(self.exchanges[-1], refused=refusal.reason)
                told = self.dialogue.again(refusal, view)
                said = reply.text[:LONGEST_QUOTED] or "..."  # some endpoints refuse empty messages
                talk += [Message(True, said), Message(False, told)]
        why = harmless(self.exchanges[-1].refused, LONGEST_REASON)
        raise NoLegalAnswer(f"none of {tries} answers was a legal move; the last: {why}")

    def _reply(self, rules: str, talk: Sequence[Message], number: int) -> Reply:
        began = time.perf_counter()
        self.opening = self.dialogue.opened(rules)
        try:
            reply = self._speak(self.dialogue, self.opening, talk)
        except OtherForm:
            self.dialogue = replace(self.dialogue, in_json=not self.dialogue.in_json)
            self.opening = self.dialogue.opened(rules)
            reply = self._speak(self.dialogue, self.opening, talk)
        reply = replace(reply, text=reply.text[: LONGEST_ANSWER + 1])  # the next is refused anyway
        took = round(time.perf_counter() - began, 3)
        self.exchanges.append(Exchange(number, talk[-1].text, reply, took))
        return reply

    @property
    def tokens(self) -> int | None:
        """How many tokens the game took; None if that is not told."""
        counts = [count for each in self.exchanges for count in _tokens(each.reply)]
        return sum(counts) if counts else None

    @property
    def money(self) -> float | None:
        """How much the game cost; None if that is not told."""
        paid = [each.reply.money for each in self.exchanges if each.reply.money is not None]
        return sum(paid) if paid else None


def _tokens(reply: Reply) -> list[int]:
    return [count for count in (reply.tokens_in, reply.tokens_out) if count is not None]


@dataclass(frozen=True, slots=True)
class Transcript:
    """All questions to a player and all its answers in one game."""

    style: Style
    in_json: bool
    """Whether structured answers were asked for."""
    opening: str
    """What the player was told before the first question."""
    exchanges: tuple[Exchange, ...]

    @classmethod
    def of(cls, player: TextPlayer) -> Transcript:
        """The transcript of a player's game so far."""
        dialogue = player.dialogue
        return cls(dialogue.style, dialogue.in_json, player.opening, tuple(player.exchanges))

    def thoughts_before(self, step: int) -> str:
        """What the player said before it made a step; empty if it said nothing."""
        said = next((e.reply.text for e in reversed(self.exchanges) if e.number == step - 1), "")
        with contextlib.suppress(ValueError, RecursionError):
            given = json.loads(said)
            said = str(given.get("thinking", "")) if isinstance(given, dict) else said
        return said

    def replayed(self, record: Record, seat: Seat) -> TextPlayer:
        """A player who was asked and answered all that again; or a refusal if it does not fit."""
        answers = iter(self.exchanges)

        def speak(dialogue: Dialogue, opening: str, talk: Sequence[Message]) -> Reply:
            exchange = next(answers, None)
            if exchange is None:
                raise Refusal("An answer is missing.")
            return exchange.reply

        player = TextPlayer(record.game, speak, self.style, self.in_json)
        end = record.outcome
        failed = end is not None and (end.reason, end.winner) == (Ending.FORFEITED, seat.other)
        for state, step in zip_longest(record.states(), record.steps):
            if state.actor is not seat or (step is None and not failed):
                continue
            try:
                move = player.choose(state.view(seat))
            except NoLegalAnswer:
                move = None
            if move != (step and step.move):
                raise Refusal("An answer leads to another move.")
        if Transcript.of(player) != self:
            raise Refusal("Something was asked or refused otherwise.")
        return player
