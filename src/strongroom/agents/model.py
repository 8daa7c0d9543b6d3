"""Language models as players: `model:NAME`, with settings after a question mark."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Final

from strongroom.agents.allowance import Allowance, in_tokens
from strongroom.agents.dialogue import Dialogue, Style
from strongroom.agents.endpoint import TIMEOUT, Endpoint, from_environment
from strongroom.agents.text_player import Message, Reply, TextPlayer
from strongroom.contract import Game, Refusal, shown
from strongroom.players import Stops

CONCURRENCY: Final = 8
"""How many games a model plays at once, unless another number is asked for."""
LONGEST_MODEL: Final = 150
"""The most characters in the name of a model."""


@dataclass(frozen=True)
class ModelSeats:
    """Seats one model at any number of games, which share what it may spend."""

    model: str
    style: Style
    endpoint: Endpoint
    allowance: Allowance = field(default_factory=Allowance)
    concurrency: int = CONCURRENCY
    """How many games are played at once, in threads."""
    timeout: float = TIMEOUT
    """How many seconds an answer may take, with all retries."""

    @property
    def called(self) -> str:
        """What the model is called at a table."""
        return self.model.rpartition("/")[2] or self.model

    def __call__(self, game: Game, rng: Random) -> TextPlayer:
        """The model at a game."""
        return TextPlayer(game, self.speak, self.style, self.endpoint.in_json(self.model))

    def speak(self, dialogue: Dialogue, opening: str, talk: Sequence[Message]) -> Reply:
        """The model's answer, paid from the allowance."""
        allowance = self.allowance
        reserved = allowance.reserve("\n".join((opening, *(each.text for each in talk))))
        try:
            schema = dialogue.schema if dialogue.in_json else None
            reply = self.endpoint.answer(self.model, opening, talk, schema, self.timeout)
            money = allowance.cost(reply)
            took_in, took_out = reply.tokens_in, reply.tokens_out
            allowance.pay(
                reserved,
                reserved.tokens_in if took_in is None else took_in,
                in_tokens(f"{reply.text}{reply.reasoning}") if took_out is None else took_out,
                money,
            )
        except Stops as stopped:
            allowance.stop(stopped)
            raise
        finally:
            allowance.release(reserved)
        return replace(reply, money=money)


def seats(text: str) -> ModelSeats:
    """What seats the model that a text names, with its settings; or a refusal.

    The endpoint and its key come from the environment.
    """
    model, _, settings = text.partition("?")
    if (
        not model
        or len(model) > LONGEST_MODEL
        or not model.isprintable()
        or model.split() != [model]
    ):
        raise Refusal(f"{shown(text)} does not name a model.", "For example: model:gpt-4o-mini")
    return ModelSeats(model, Style.read(settings), from_environment())
