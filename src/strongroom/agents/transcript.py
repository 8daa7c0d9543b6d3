"""What was said in a game: kept with it, and checked against its moves."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from strongroom.agents.dialogue import Dialogue, Style
from strongroom.agents.text_player import Exchange, Message, NoLegalAnswer, Reply, TextPlayer
from strongroom.contract import Ending, Json, Refusal, Seat
from strongroom.contract.rules import listed, parts
from strongroom.referee.record import Record


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
        """What was said to a player, and by it, so far."""
        dialogue = player.dialogue
        return cls(dialogue.style, dialogue.in_json, player.opening, tuple(player.exchanges))

    def to_json(self) -> Json:
        """The transcript as JSON data."""
        return {
            "style": str(self.style),
            "in_json": self.in_json,
            "opening": self.opening,
            "exchanges": [each.to_json() for each in self.exchanges],
        }

    @classmethod
    def from_json(cls, data: Any) -> Transcript:
        """What `to_json` gave; or a refusal."""
        style, in_json, opening, exchanges = parts(data, "style", "in_json", "opening", "exchanges")
        if not (isinstance(style, str) and isinstance(opening, str) and type(in_json) is bool):
            raise Refusal("A transcript has a style, an opening and exchanges.")
        found = tuple(map(Exchange.from_json, listed(exchanges)))
        return cls(Style.read(style), in_json, opening, found)

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
