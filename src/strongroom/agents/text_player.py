"""A player who is asked in text and answers in text."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from strongroom.agents.dialogue import PLAIN, TRIES, Dialogue, Style
from strongroom.contract import Game, Json, Move, Refusal, View, harmless
from strongroom.players import Patient

LONGEST_REASON = 200
"""How much is kept of the reason why a player forfeited."""


class Message(NamedTuple):
    """A part of a conversation: what the player was told, or what it said."""

    from_player: bool
    text: str


@dataclass(frozen=True, slots=True)
class Reply:
    """What a player answered, and what that took."""

    text: str
    reasoning: str = ""
    """What it thought, where that comes apart from the answer."""
    tokens_in: int | None = None
    tokens_out: int | None = None
    money: float | None = None
    """In dollars."""


Speak = Callable[[str, Sequence[Message]], Reply]
"""Answers a conversation, given what was said before it: the rules, and how to answer."""


@dataclass(frozen=True, slots=True)
class Exchange:
    """One question and its answer."""

    number: int
    """How many moves had been made."""
    asked: str
    reply: Reply
    seconds: float
    refused: str = ""
    """Why the answer was refused."""

    def to_json(self) -> Json:
        """The exchange as JSON data."""
        reply = self.reply
        return {
            "number": self.number,
            "asked": self.asked,
            "answered": reply.text,
            "reasoning": reply.reasoning,
            "tokens_in": reply.tokens_in,
            "tokens_out": reply.tokens_out,
            "money": reply.money,
            "seconds": round(self.seconds, 3),
            "refused": self.refused,
        }


class NoLegalAnswer(Exception):
    """A player has not given a legal answer, however often it was asked."""


class TextPlayer(Patient):
    """A player who is asked in text; it is told why an answer is refused, and asked again."""

    def __init__(self, game: Game, speak: Speak, style: Style = PLAIN) -> None:
        self.dialogue = Dialogue(game, style)
        self.exchanges: list[Exchange] = []
        """All questions and answers of the game."""
        self.illegal = 0
        """How many answers were no legal moves."""
        self._speak = speak
        self._talk: list[Message] = []
        self._view: View | None = None
        self._refused = 0

    def choose(self, view: View) -> Move:
        """The move that the player's answer marks; or a refusal, after which it is asked again."""
        if self._view is None or view.number != self._view.number:
            self._talk, self._refused = [Message(False, self.dialogue.ask(view))], 0
        if self._refused == TRIES:
            why = harmless(self.exchanges[-1].refused, LONGEST_REASON)
            raise NoLegalAnswer(f"none of {TRIES} answers was a legal move; the last: {why}")
        self._view = view
        began = time.perf_counter()
        reply = self._speak(self.dialogue.opening, self._talk)
        took = time.perf_counter() - began
        self.exchanges.append(Exchange(view.number, self._talk[-1].text, reply, took))
        self._talk.append(Message(True, reply.text))
        return self.dialogue.read(reply.text, view)

    def refused(self, refusal: Refusal) -> None:
        """Tell the player why its answer was refused."""
        assert self._view is not None
        self.illegal += 1
        self._refused += 1
        self.exchanges[-1] = replace(self.exchanges[-1], refused=refusal.reason)
        self._talk.append(Message(False, self.dialogue.again(refusal, self._view)))

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
